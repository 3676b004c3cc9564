import { type JetStreamClient, jetstream } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@weir/contracts';
import { BrokerLink } from './broker-link.js';
import { REQUEST_ID_HEADER, requestContext } from './request-context.js';
import { NATS } from './tokens.js';

/** The broker has to acknowledge within this, or the caller is told that it is not available. */
const PUBLISH_TIMEOUT_MS = 5_000;

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

  /** Throws `unavailable` when the stream is full or the broker away: nothing is known to be stored then. */
  publish(subject: string, payload: object, options: { msgId: string }): Promise<Published> {
    return this.publishText(subject, JSON.stringify(payload), options);
  }

  /** The same for what is text already. */
  async publishText(subject: string, text: string, options: { msgId: string }): Promise<Published> {
    const carried = headers();
    const requestId = requestContext.get()?.requestId;
    if (requestId) carried.set(REQUEST_ID_HEADER, requestId);
    try {
      const sending = { msgID: options.msgId, headers: carried, timeout: PUBLISH_TIMEOUT_MS };
      const ack = await this.link.whileUp(() => this.stream.publish(subject, text, sending));
      return { duplicate: ack.duplicate, sequence: ack.seq };
    } catch (error) {
      throw new AppError('unavailable', 'The event stream does not take events now', undefined, { cause: error });
    }
  }
}
