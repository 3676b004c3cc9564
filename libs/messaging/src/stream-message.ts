import { type Context, SpanKind } from '@opentelemetry/api';
import { withoutSize } from '@weir/contracts';
import type { PulledMessage } from './bounded-pull.js';
import type { Lease } from './lease.js';
import { EPOCH_HEADER, streamNameOf } from './streams.js';
import { inSpanOf, traceOf } from './tracing.js';

/** One message of a stream, or one batch of it. The handler acknowledges it when done. */
export interface StreamMessage {
  /** The subject without the size of the message, so that it names the source (`withoutSize`). */
  readonly subject: string;
  /** Position in the stream. */
  readonly sequence: number;
  /** Place within the stream's message, which may hold several batches. */
  readonly position: number;
  readonly redelivered: boolean;
  /** 1 for the first delivery. */
  readonly deliveryCount: number;
  /** Epoch of the lease under which it was written, or 0 without a lease. */
  readonly epoch: number;
  /** The raw body. */
  readonly data: Uint8Array;
  /** Throws if the body is not JSON. */
  json(): unknown;
  /** The raw body as text, for content that cannot be parsed. */
  text(): string;
  ack(): void;
  /** Requests redelivery, after `delayMs` if given. */
  nak(delayMs?: number): void;
  /** Prevents any redelivery. */
  term(): void;
  /** Reports progress, which restarts the acknowledgement timeout. */
  working(): void;
  /**
   * The handler goes on with the message after its call, and acknowledges it later. Until then it is not handed over again,
   * unless the partition gets another owner.
   */
  keep(): void;
  readonly isKept: boolean;
  /** True after an `ack` or `term` through this object. */
  readonly isDone: boolean;
  /** The trace of its publisher. */
  readonly trace: Context;
}

/** Runs work on a message as part of its trace. Creates no span if the message has no trace. */
export function inTraceOf<T>(
  { subject, trace }: Pick<StreamMessage, 'subject' | 'trace'>,
  work: () => Promise<T>,
): Promise<T> {
  const stream = streamNameOf(subject);
  const attributes = { 'messaging.system': 'nats', 'messaging.destination.name': stream };
  return inSpanOf(`process ${stream}`, { kind: SpanKind.CONSUMER, attributes, parent: trace }, work);
}

/** Learns that a message is done. */
export type WhenDone = (message: StreamMessage) => void;

/** Sends no acknowledgement after the lease is lost, so that the next owner gets the message. */
export function streamMessage(
  message: PulledMessage,
  lease?: Lease,
  whenDone: WhenDone = () => undefined,
): StreamMessage {
  let isDone = false;
  let isKept = false;
  const mayEnd = () => lease?.isHeld ?? true;
  const end = (tellBroker: () => void) => {
    isDone = true;
    if (mayEnd()) tellBroker();
    whenDone(read);
  };
  const read: StreamMessage = {
    subject: withoutSize(message.subject),
    sequence: message.seq,
    position: 0,
    redelivered: message.redelivered,
    deliveryCount: message.info.deliveryCount,
    epoch: Number(message.headers?.get(EPOCH_HEADER) ?? 0) || 0,
    data: message.data,
    json: () => message.json(),
    text: () => message.string(),
    ack: () => end(() => message.ack()),
    nak: (delayMs) => message.nak(delayMs),
    term: () => end(() => message.term()),
    working: () => message.working(),
    keep: () => {
      isKept = true;
    },
    get isKept() {
      return isKept;
    },
    get isDone() {
      return isDone;
    },
    get trace() {
      return traceOf(message.headers);
    },
  };
  return read;
}
