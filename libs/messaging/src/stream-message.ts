import { type Context, SpanKind } from '@opentelemetry/api';
import type { PulledMessage } from './bounded-pull.js';
import type { Lease } from './lease.js';
import { EPOCH_HEADER, streamNameOf } from './streams.js';
import { inSpanOf, traceOf } from './tracing.js';

/** One message of a stream, to be acknowledged by whoever finished it. */
export interface StreamMessage {
  readonly subject: string;
  /** Position in the stream. */
  readonly sequence: number;
  /** Place in the stream's message, which may hold several batches. */
  readonly part: number;
  readonly redelivered: boolean;
  /** 1 for the first hand-out. */
  readonly deliveryCount: number;
  /** Of the lease in whose name it was written; 0 when there was none. */
  readonly epoch: number;
  /** The body as it came. */
  readonly data: Uint8Array;
  /** Throws on what is not JSON. */
  json(): unknown;
  /** As it came, for what cannot be parsed. */
  text(): string;
  ack(): void;
  /** Hand it out again, after `delayMs` when given. */
  nak(delayMs?: number): void;
  /** Never hand it out again. */
  term(): void;
  /** Still being worked on: the wait for the acknowledgement starts anew. */
  working(): void;
  /** It was acknowledged or terminated through this object. */
  readonly isDone: boolean;
  /** The trace that its publisher was in. */
  readonly trace: Context;
}

/** Work on a message as a part of its trace; without one there is no span. */
export function inTraceOf<T>(
  { subject, trace }: Pick<StreamMessage, 'subject' | 'trace'>,
  work: () => Promise<T>,
): Promise<T> {
  const stream = streamNameOf(subject);
  const attributes = { 'messaging.system': 'nats', 'messaging.destination.name': stream };
  return inSpanOf(`process ${stream}`, { kind: SpanKind.CONSUMER, attributes, parent: trace }, work);
}

/** Under a lease that is lost nothing is acknowledged: then it comes again, to the next owner. */
export function streamMessage(message: PulledMessage, lease?: Lease): StreamMessage {
  let isDone = false;
  const mayEnd = () => lease?.isHeld ?? true;
  return {
    subject: message.subject,
    sequence: message.seq,
    part: 0,
    redelivered: message.redelivered,
    deliveryCount: message.info.deliveryCount,
    epoch: Number(message.headers?.get(EPOCH_HEADER) ?? 0) || 0,
    data: message.data,
    json: () => message.json(),
    text: () => message.string(),
    ack: () => {
      isDone = true;
      if (mayEnd()) message.ack();
    },
    nak: (delayMs) => message.nak(delayMs),
    term: () => {
      isDone = true;
      if (mayEnd()) message.term();
    },
    working: () => message.working(),
    get isDone() {
      return isDone;
    },
    get trace() {
      return traceOf(message.headers);
    },
  };
}
