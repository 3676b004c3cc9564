import { type Consumer, type JetStreamClient, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { type NatsConnection, nanos } from '@nats-io/transport-node';
import { Inject, Injectable } from '@nestjs/common';
import { deliverySubject } from '@weir/contracts';
import { DELIVERIES, ensureConsumer, NATS } from '@weir/messaging';

/** Messages of one destination that may be unfinished: as many retries can wait before the destination as a whole waits. */
export const HELD_MAX = 1_024;
/** Holders report on what they hold every third of this. */
export const DELIVERY_ACK_WAIT_MS = 15_000;

const consumerOf = (destinationId: string) => `delivery-${destinationId}`;

/** The part of the DELIVERIES stream that belongs to each destination. */
@Injectable()
export class DeliveryQueues {
  private readonly stream: JetStreamClient;

  constructor(@Inject(NATS) private readonly nats: NatsConnection) {
    this.stream = jetstream(nats);
  }

  /**
   * The destination's durable consumer. A new owner makes it afresh: what the owner before had in hand comes again at once
   * and in order, before anything newer. So does an owner that has lost a message on its way.
   */
  async open(destinationId: string, { fresh }: { fresh: boolean }): Promise<Consumer> {
    const manager = await jetstreamManager(this.nats);
    const name = consumerOf(destinationId);
    if (fresh) await manager.consumers.delete(DELIVERIES, name).catch(() => false);
    await ensureConsumer(manager, DELIVERIES, {
      durable_name: name,
      filter_subject: deliverySubject(destinationId),
      ack_wait: nanos(DELIVERY_ACK_WAIT_MS),
      max_ack_pending: HELD_MAX,
    });
    return this.stream.consumers.get(DELIVERIES, name);
  }

  /** Forgets a destination that is gone. Answers how many messages it still had. */
  async remove(destinationId: string): Promise<number> {
    const manager = await jetstreamManager(this.nats);
    await manager.consumers.delete(DELIVERIES, consumerOf(destinationId)).catch(() => false);
    const { purged } = await manager.streams.purge(DELIVERIES, { filter: deliverySubject(destinationId) });
    return purged;
  }

  /** How many messages of each destination wait; those of which none wait are left out. */
  async waiting(): Promise<Map<string, number>> {
    const manager = await jetstreamManager(this.nats);
    const { state } = await manager.streams.info(DELIVERIES, { subjects_filter: deliverySubject('*') });
    const counts = Object.entries(state.subjects ?? {});
    return new Map(counts.map(([subject, count]) => [subject.slice(deliverySubject('').length), count]));
  }
}
