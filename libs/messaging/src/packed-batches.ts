import type { Context } from '@opentelemetry/api';
import { EventBatch, isJsonObject, type JsonObject } from '@weir/contracts';
import type { PulledMessage } from './bounded-pull.js';
import { describeIssues } from './handles.js';
import type { Lease } from './lease.js';
import { type StreamMessage, streamMessage, type WhenDone } from './stream-message.js';
import { traceOf } from './tracing.js';

/** A stream message holds one batch per line. JSON on one line contains no line breaks. */
const LINE_BREAK = '\n';
const LINE_BREAK_BYTE = 0x0a;

export const packBatches = (batches: readonly string[]): string => batches.join(LINE_BREAK);

export function unpackBatches(data: Uint8Array): Uint8Array[] {
  const batches: Uint8Array[] = [];
  let from = 0;
  for (let to = data.indexOf(LINE_BREAK_BYTE); to !== -1; to = data.indexOf(LINE_BREAK_BYTE, from)) {
    batches.push(data.subarray(from, to));
    from = to + 1;
  }
  return [...batches, data.subarray(from)];
}

/** Text of a message or of one batch of it. */
const textOf = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('utf8');

/** JSON of a message or of one batch of it. Throws if it is not JSON. */
export const jsonOf = (data: Uint8Array): unknown => JSON.parse(textOf(data));

/** Unpacks a message into its batches, each with its own acknowledgement. Acknowledges the message once all of them are. */
export function streamMessages(message: PulledMessage, lease?: Lease, whenDone?: WhenDone): StreamMessage[] {
  const batches = unpackBatches(message.data);
  if (batches.length === 1) return [streamMessage(message, lease, whenDone)];
  const whole = streamMessage(message, lease);
  let left = batches.length;
  const finish = (batch: StreamMessage) => {
    left -= 1;
    if (left === 0) whole.ack();
    whenDone?.(batch);
  };
  return batches.map((data, position) => new PackedMessage(whole, message, data, position, finish));
}

/** Why a message holds no batch. Nothing in the texts quotes the message. */
export type NoBatch =
  | { reason: 'not JSON' }
  | { reason: 'not a batch of events' /** The first problem. */; problem: string; json: unknown };

export const isBatch = (read: EventBatch | NoBatch): read is EventBatch => !('reason' in read);

/** Reads the batch of a message. */
export function readBatch(message: Pick<StreamMessage, 'json'>): EventBatch | NoBatch {
  let json: unknown;
  try {
    json = message.json();
  } catch {
    return { reason: 'not JSON' };
  }
  const events = eventsOf(json);
  const { success, data, error } = EventBatch.safeParse(events ? { ...(json as object), events: [events[0]] } : json);
  if (!success) return { reason: 'not a batch of events', problem: describeIssues(error).message, json };
  return events ? { ...data, events } : data;
}

/** The events, if all of them are objects. The first then stands for all in the schema check, which is slow by comparison. */
function eventsOf(json: unknown): JsonObject[] | undefined {
  const events = isJsonObject(json) ? json['events'] : undefined;
  return Array.isArray(events) && events.length > 0 && events.every(isJsonObject) ? events : undefined;
}

/** A class saves memory, because a message may hold hundreds of batches. */
class PackedMessage implements StreamMessage {
  isDone = false;
  isKept = false;

  constructor(
    private readonly whole: StreamMessage,
    private readonly pulled: Pick<PulledMessage, 'headers'>,
    readonly data: Uint8Array,
    readonly position: number,
    private readonly finish: WhenDone,
  ) {}

  get subject(): string {
    return this.whole.subject;
  }

  get sequence(): number {
    return this.whole.sequence;
  }

  get redelivered(): boolean {
    return this.whole.redelivered;
  }

  get deliveryCount(): number {
    return this.whole.deliveryCount;
  }

  get epoch(): number {
    return this.whole.epoch;
  }

  get trace(): Context {
    return traceOf(this.pulled.headers, this.position);
  }

  text(): string {
    return textOf(this.data);
  }

  json(): unknown {
    return jsonOf(this.data);
  }

  ack(): void {
    if (this.isDone) return;
    this.isDone = true;
    this.finish(this);
  }

  keep(): void {
    this.isKept = true;
  }

  /** The stream cannot remove one batch alone. The caller has already saved what it needs of it. */
  term(): void {
    this.ack();
  }

  nak(delayMs?: number): void {
    this.whole.nak(delayMs);
  }

  working(): void {
    this.whole.working();
  }
}
