import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { type NatsConnection, nanos } from '@nats-io/transport-node';
import { Inject, Injectable } from '@nestjs/common';
import { deliverySubject } from '@weir/contracts';
import {
  DELIVERIES,
  ensureConsumer,
  NATS,
  type PullOptions,
  pullOnce,
  STREAM_BYTES_MAX_DEFAULT,
} from '@weir/messaging';

/** Messages of one destination that may be unfinished: as many retries can wait before the destination as a whole waits. */
export const HELD_MAX = 1_024;
/** Holders report on what they hold every third of this. */
export const DELIVERY_ACK_WAIT_MS = 15_000;

/** Of one pull; its messages are read one by one, and kept only as far as there is room. */
export const PULL_MAX = 32;
const PULL_BYTES_MAX = 2_097_152;
const PULL_EXPIRES_MS = 10_000;

const consumerOf = (destinationId: string) => `delivery-${destinationId}`;

/** The part of the DELIVERIES stream that belongs to each destination. */
@Injectable()
export class DeliveryQueues {
  private manager: Promise<JetStreamManager> | undefined;

  constructor(@Inject(NATS) private readonly nats: NatsConnection) {}

  /**
   * The destination's durable consumer. A new owner makes it afresh: what the owner before had in hand comes again at once
   * and in order, before anything newer. So does an owner that has lost a message on its way.
   */
  async open(destinationId: string, { fresh }: { fresh: boolean }): Promise<void> {
    const manager = await jetstreamManager(this.nats);
    const name = consumerOf(destinationId);
    if (fresh) await manager.consumers.delete(DELIVERIES, name).catch(() => false);
    await ensureConsumer(manager, DELIVERIES, {
      durable_name: name,
      filter_subject: deliverySubject(destinationId),
      ack_wait: nanos(DELIVERY_ACK_WAIT_MS),
      max_ack_pending: HELD_MAX,
    });
  }

  /** One pull from it, bounded in messages and bytes; see `pullOnce`. */
  pull(destinationId: string, options: Pick<PullOptions, 'onMessage' | 'signal'>): Promise<void> {
    const bounds = { messagesMax: PULL_MAX, bytesMax: PULL_BYTES_MAX, expiresMs: PULL_EXPIRES_MS };
    return pullOnce({ nats: this.nats, stream: DELIVERIES, durable: consumerOf(destinationId), ...bounds, ...options });
  }

  /** Forgets a destination that is gone. Answers how many messages it still had. */
  async remove(destinationId: string): Promise<number> {
    const manager = await jetstreamManager(this.nats);
    await manager.consumers.delete(DELIVERIES, consumerOf(destinationId)).catch(() => false);
    const { purged } = await manager.streams.purge(DELIVERIES, { filter: deliverySubject(destinationId) });
    return purged;
  }

  /** What a message that is not done has brought; undefined when the stream does not have it any more. */
  async message(sequence: number): Promise<Uint8Array | undefined> {
    this.manager ??= jetstreamManager(this.nats, { checkAPI: false });
    const { streams } = await this.manager;
    return (await streams.getMessage(DELIVERIES, { seq: sequence }))?.data;
  }

  /** Of the stream as a whole; one that the operator gave no end has the default's shares. */
  async size(): Promise<{ bytes: number; bytesMax: number }> {
    const manager = await jetstreamManager(this.nats);
    const { state, config } = await manager.streams.info(DELIVERIES);
    return { bytes: state.bytes, bytesMax: config.max_bytes > 0 ? config.max_bytes : STREAM_BYTES_MAX_DEFAULT };
  }

  /** How many messages of each destination wait; those of which none wait are left out. */
  async waiting(): Promise<Map<string, number>> {
    const manager = await jetstreamManager(this.nats);
    const { state } = await manager.streams.info(DELIVERIES, { subjects_filter: deliverySubject('*') });
    const counts = Object.entries(state.subjects ?? {});
    return new Map(counts.map(([subject, count]) => [subject.slice(deliverySubject('').length), count]));
  }
}
