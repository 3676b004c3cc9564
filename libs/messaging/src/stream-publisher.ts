import { type JetStreamClient, jetstream } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable } from '@nestjs/common';
import { type Context, SpanKind, trace } from '@opentelemetry/api';
import { AppError } from '@weir/contracts';
import { BrokerLink } from './broker-link.js';
import type { Lease } from './lease.js';
import { REQUEST_ID_HEADER, requestContext } from './request-context.js';
import { EPOCH_HEADER, streamNameOf } from './streams.js';
import { NATS } from './tokens.js';
import { carryTrace, inSpanOf } from './tracing.js';

/** The broker has to acknowledge within this, or the caller is told that it is not available. */
const PUBLISH_TIMEOUT_MS = 5_000;

export interface PublishOptions {
  msgId: string;
  /** In whose name it is written: it is, only while that is held, and carries its epoch. */
  lease?: Lease | undefined;
}

export interface Published {
  /** The stream had a message of that id already; nothing was added. */
  duplicate: boolean;
  sequence: number;
}

/** Writes to streams; what it answered is stored. */
@Injectable()
export class StreamPublisher {
  private readonly stream: JetStreamClient;
  private readonly link: BrokerLink;

  constructor(@Inject(NATS) nats: NatsConnection) {
    this.stream = jetstream(nats, { timeout: PUBLISH_TIMEOUT_MS });
    this.link = new BrokerLink(nats);
  }

  /**
   * Throws `unavailable` when the stream is full or the broker away: nothing is known to be stored then. Throws
   * `LeaseLostError` when it wrote nothing.
   */
  publish(subject: string, payload: object, options: PublishOptions): Promise<Published> {
    return this.publishText(subject, JSON.stringify(payload), options);
  }

  /** The same for what is text already, and may be a part of further traces than the one that is under way. */
  publishText(
    subject: string,
    text: string,
    { alsoOf = [], ...options }: PublishOptions & { alsoOf?: readonly Context[] },
  ): Promise<Published> {
    const stream = streamNameOf(subject);
    const attributes = { 'messaging.system': 'nats', 'messaging.destination.name': stream };
    const links = alsoOf.flatMap((one) => trace.getSpanContext(one) ?? []).map((context) => ({ context }));
    const parts = { kind: SpanKind.PRODUCER, attributes, links };
    return inSpanOf(`publish ${stream}`, parts, () => this.write(subject, text, options));
  }

  private async write(subject: string, text: string, { msgId: msgID, lease }: PublishOptions): Promise<Published> {
    const carried = headers();
    carryTrace(carried);
    const requestId = requestContext.get()?.requestId;
    if (requestId) carried.set(REQUEST_ID_HEADER, requestId);
    lease?.assertHeld();
    if (lease) carried.set(EPOCH_HEADER, String(lease.epoch));
    try {
      const sending = { msgID, headers: carried, timeout: PUBLISH_TIMEOUT_MS };
      const ack = await this.link.whileUp(() => this.stream.publish(subject, text, sending));
      return { duplicate: ack.duplicate, sequence: ack.seq };
    } catch (error) {
      throw new AppError('unavailable', 'The event stream does not take events now', undefined, { cause: error });
    }
  }
}
