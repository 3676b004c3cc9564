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

/** Unfinished messages per destination. As many retries can wait before the whole destination waits. */
export const HELD_MAX = 1_024;
/** Consumers report progress at every third of this interval. */
export const DELIVERY_ACK_WAIT_MS = 15_000;

/** Bounds of one pull. The worker reads its messages one by one and keeps them only while memory lasts. */
export const PULL_MAX = 32;
const PULL_BYTES_MAX = 2_097_152;
const PULL_EXPIRES_MS = 10_000;

const consumerOf = (destinationId: string) => `delivery-${destinationId}`;

/** Manages each destination's part of the DELIVERIES stream. */
@Injectable()
export class DeliveryQueues {
  private manager: Promise<JetStreamManager> | undefined;

  constructor(@Inject(NATS) private readonly nats: NatsConnection) {}

  /**
   * Opens the durable consumer of the destination. `fresh` recreates it, so unacknowledged messages come again at once, in order
   * and before newer ones. A new owner needs that, and so does an owner that lost a message on the way.
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

  /** One pull, bounded in messages and bytes. See `pullOnce`. */
  pull(destinationId: string, options: Pick<PullOptions, 'onMessage' | 'signal'>): Promise<void> {
    const bounds = { messagesMax: PULL_MAX, bytesMax: PULL_BYTES_MAX, expiresMs: PULL_EXPIRES_MS };
    return pullOnce({ nats: this.nats, stream: DELIVERIES, durable: consumerOf(destinationId), ...bounds, ...options });
  }

  /** Removes the consumer and the messages of a deleted destination. Returns the number of messages. */
  async remove(destinationId: string): Promise<number> {
    const manager = await jetstreamManager(this.nats);
    await manager.consumers.delete(DELIVERIES, consumerOf(destinationId)).catch(() => false);
    const { purged } = await manager.streams.purge(DELIVERIES, { filter: deliverySubject(destinationId) });
    return purged;
  }

  /** Reads a message from the stream. Returns undefined if the stream no longer has it. */
  async message(sequence: number): Promise<Uint8Array | undefined> {
    this.manager ??= jetstreamManager(this.nats, { checkAPI: false });
    const { streams } = await this.manager;
    return (await streams.getMessage(DELIVERIES, { seq: sequence }))?.data;
  }

  /** Size and limit of the whole stream. A stream without a limit counts as one with the default limit. */
  async size(): Promise<{ bytes: number; bytesMax: number }> {
    const manager = await jetstreamManager(this.nats);
    const { state, config } = await manager.streams.info(DELIVERIES);
    return { bytes: state.bytes, bytesMax: config.max_bytes > 0 ? config.max_bytes : STREAM_BYTES_MAX_DEFAULT };
  }

  /** Number of waiting messages per destination. Omits empty queues. */
  async waiting(): Promise<Map<string, number>> {
    const manager = await jetstreamManager(this.nats);
    const { state } = await manager.streams.info(DELIVERIES, { subjects_filter: deliverySubject('*') });
    const counts = Object.entries(state.subjects ?? {});
    return new Map(counts.map(([subject, count]) => [subject.slice(deliverySubject('').length), count]));
  }
}
