import { randomUUID } from 'node:crypto';
import { JetStreamApiError, type JetStreamClient, jetstream, type PubAck } from '@nats-io/jetstream';
import { headers, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable } from '@nestjs/common';
import { type Context, context, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import { AppError, hasOnlyId } from '@weir/contracts';
import { BrokerLink, NATS } from './connection.js';
import type { Lease } from './lease.js';
import { EPOCH_HEADER, streamNameOf } from './streams.js';
import { carryTrace, inSpansOf, REQUEST_ID_HEADER, requestContext } from './tracing.js';

/** Time for the broker to acknowledge. After it the caller gets `unavailable`. */
const PUBLISH_TIMEOUT_MS = 5_000;
/** Traces that a message carries. Their headers have 10 KB then, and PAYLOAD_BYTES_MAX leaves 16 KiB for all headers. */
const TRACES_MAX = 128;
const NOT_ACCEPTED = 'The event stream does not accept events now';

export interface PublishOptions {
  msgId: string;
  /** Writes only while this lease is held, and adds its epoch as a header. */
  lease?: Lease | undefined;
}

export interface Published {
  /** The stream already had a message with that id, so nothing was added. */
  duplicate: boolean;
  sequence: number;
  /** The id under which the stream has the message. It is another one than asked for if the broker had only that id. */
  msgId: string;
}

/** Writes to streams. A resolved publish is stored. */
@Injectable()
export class StreamPublisher {
  private readonly stream: JetStreamClient;
  private readonly link: BrokerLink;

  constructor(@Inject(NATS) nats: NatsConnection) {
    this.stream = jetstream(nats, { timeout: PUBLISH_TIMEOUT_MS });
    this.link = new BrokerLink(nats);
  }

  /**
   * Throws `unavailable` when the stream is full or the broker is away. The message may or may not be stored then. Throws
   * `LeaseLostError` when it wrote nothing.
   */
  publish(subject: string, payload: object, options: PublishOptions): Promise<Published> {
    return this.publishText(subject, JSON.stringify(payload), options);
  }

  /** Publishes text. `traces` has the context of each batch in it, in order. Default: one batch, in the active context. */
  publishText(
    subject: string,
    text: string,
    { traces = [context.active()], ...options }: PublishOptions & { traces?: readonly Context[] },
  ): Promise<Published> {
    const stream = streamNameOf(subject);
    const attributes = { 'messaging.system': 'nats', 'messaging.destination.name': stream };
    const settings = { kind: SpanKind.PRODUCER, attributes };
    return inSpansOf(`publish ${stream}`, settings, firstOf(traces), (within) =>
      this.write(subject, text, options, within),
    );
  }

  /**
   * If the stream has only the id of the message, the message is sent again with a new one. The first may be stored after all, and
   * readers recognise a batch that comes twice.
   */
  private async write(
    subject: string,
    text: string,
    { msgId, lease }: PublishOptions,
    within: readonly (Context | undefined)[],
  ): Promise<Published> {
    for (const id of [msgId, randomUUID()]) {
      const ack = await this.send(subject, text, headersOf(within), lease, id);
      if (ack) return { duplicate: ack.duplicate, sequence: ack.seq, msgId: id };
    }
    throw new AppError('unavailable', NOT_ACCEPTED);
  }

  /** Returns undefined if the broker knows the id, but has no message for it. */
  private async send(
    subject: string,
    text: string,
    carried: MsgHdrs,
    lease: Lease | undefined,
    msgID: string,
  ): Promise<PubAck | undefined> {
    lease?.assertHeld();
    if (lease) carried.set(EPOCH_HEADER, String(lease.epoch));
    try {
      const sending = { msgID, headers: carried, timeout: PUBLISH_TIMEOUT_MS };
      const ack = await this.link.whileUp(() => this.stream.publish(subject, text, sending));
      return hasOnlyId(ack) ? undefined : ack;
    } catch (error) {
      if (error instanceof JetStreamApiError && hasOnlyId({ errorCode: error.code })) return undefined;
      throw new AppError('unavailable', NOT_ACCEPTED, undefined, { cause: error });
    }
  }
}

/** Leaves out further traces, so that the headers stay below their limit. */
function firstOf(traces: readonly Context[]): Context[] {
  let left = TRACES_MAX;
  return traces.map((within) => (trace.getSpan(within) && left-- > 0 ? within : ROOT_CONTEXT));
}

function headersOf(within: readonly (Context | undefined)[]): MsgHdrs {
  const carried = headers();
  for (const [position, one] of within.entries()) if (one) carryTrace(carried, one, position);
  const requestId = requestContext.get()?.requestId;
  if (requestId) carried.set(REQUEST_ID_HEADER, requestId);
  return carried;
}
