import type { Context } from '@opentelemetry/api';
import type { PulledMessage } from './bounded-pull.js';
import type { Lease } from './lease.js';
import { type StreamMessage, streamMessage } from './stream-message.js';

/** A stream message holds one batch per line. JSON on one line contains no line breaks. */
const LINE_BREAK = '\n';
const LINE_BREAK_BYTE = 0x0a;

export const joinParts = (parts: readonly string[]): string => parts.join(LINE_BREAK);

/** Splits a message into its batches, each with its own acknowledgement. The message is acknowledged once all of them are. */
export function streamMessages(message: PulledMessage, lease?: Lease): StreamMessage[] {
  const parts = splitParts(message.data);
  const whole = streamMessage(message, lease);
  if (parts.length === 1) return [whole];
  let left = parts.length;
  const finish = () => {
    left -= 1;
    if (left === 0) whole.ack();
  };
  return parts.map((data, part) => new PartMessage(whole, data, part, finish));
}

export function splitParts(data: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (let to = data.indexOf(LINE_BREAK_BYTE); to !== -1; to = data.indexOf(LINE_BREAK_BYTE, from)) {
    parts.push(data.subarray(from, to));
    from = to + 1;
  }
  return [...parts, data.subarray(from)];
}

/** A class saves memory, because a message may hold hundreds of parts. */
class PartMessage implements StreamMessage {
  isDone = false;

  constructor(
    private readonly whole: StreamMessage,
    readonly data: Uint8Array,
    readonly part: number,
    private readonly finish: () => void,
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
    return this.whole.trace;
  }

  text(): string {
    const { buffer, byteOffset, byteLength } = this.data;
    return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
  }

  json(): unknown {
    return JSON.parse(this.text());
  }

  ack(): void {
    if (!this.isDone) this.finish();
    this.isDone = true;
  }

  /** The stream cannot remove one part alone. The caller has already saved what it needs of it. */
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
