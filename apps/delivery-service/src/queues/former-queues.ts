import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DeliveryBatch, partitionOf } from '@weir/contracts';
import { DELIVERIES, jsonOf, NATS, Periodic } from '@weir/messaging';
import { Database } from '@weir/service-kit';
import { DeliveryQueues, type QueuedMessage } from './delivery-queues.js';
import { DeliveryShares } from './delivery-shares.js';
import { QueueWriter, textOf } from './queue-writer.js';

/** The release before had one queue for each destination. */
const FORMER = 'deliveries.*';
const CONSUMER_PREFIX = 'delivery-';
const LOOK_MS = 5_000;
/** Whether a process of that release may still work on its queues. */
const MEMBERS_SQL = `SELECT count(*)::int AS live FROM lease_members WHERE role = 'delivery' AND expires_at >= now()`;

/**
 * Moves events that wait in the queues of the release before to those of their partitions, once no process of that release runs.
 * Can go with the next release.
 */
@Injectable()
export class FormerQueues implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds = new Periodic({
    task: 'move the queues of the release before',
    everyMs: LOOK_MS,
    run: () => this.moveAll(),
    log: new Logger(FormerQueues.name),
  });

  private isClean = false;

  constructor(
    @Inject(NATS) private readonly nats: NatsConnection,
    private readonly database: Database,
    private readonly queues: DeliveryQueues,
    private readonly writer: QueueWriter,
    private readonly shares: DeliveryShares,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }

  private async moveAll(): Promise<void> {
    const { streams } = await this.manager();
    const { state } = await streams.info(DELIVERIES, { subjects_filter: FORMER });
    const subjects = Object.keys(state.subjects ?? {});
    if (subjects.length === 0 && this.isClean) return;
    const { rows } = await this.database.run<{ live: number }>(MEMBERS_SQL);
    if (rows[0]?.live !== 0) return;
    for (const subject of subjects) await this.move(subject);
    await this.removeConsumers();
    this.isClean = true;
  }

  /** That release had a consumer for each destination. */
  private async removeConsumers(): Promise<void> {
    const { consumers } = await this.manager();
    for await (const { name } of consumers.list(DELIVERIES))
      if (name.startsWith(CONSUMER_PREFIX)) await consumers.delete(DELIVERIES, name);
  }

  private async move(subject: string): Promise<void> {
    for (let after = 0; !this.rounds.isStopped; ) {
      const message = await this.queues.next(subject, after);
      if (!message) return;
      if (!(await this.moveOne(message))) return;
      after = message.sequence;
    }
  }

  /**
   * Returns false if there is no room now. The broker drops what another process moves at the same time. The copies have ids of
   * their own, because it would drop them for the original, too.
   */
  private async moveOne({ data, ...message }: QueuedMessage): Promise<boolean> {
    const { sequence } = message;
    const { parts, ...owner } = DeliveryBatch.parse(jsonOf(data));
    const byPartition = Map.groupBy(parts, ({ sourceId }) => partitionOf(owner.workspaceId, sourceId));
    for (const [partition, ofPartition] of byPartition) {
      const msgId = ['moved', sequence, ofPartition[0]?.batchId, partition, owner.destinationId].join('.');
      if (!(await this.writer.storeAnyway({ ...owner, partition }, ofPartition.map(textOf), msgId))) return false;
    }
    await this.queues.remove(message);
    this.shares.done(owner, sequence, data.length);
    return true;
  }

  private manager(): Promise<JetStreamManager> {
    return jetstreamManager(this.nats, { checkAPI: false });
  }
}
