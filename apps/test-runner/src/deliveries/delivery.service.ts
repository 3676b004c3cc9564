import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { INVENTORY_BUCKET, PARTITIONS } from '@weir/contracts';
import { Egress } from '@weir/egress';
import {
  DELIVERIES,
  EVENTS_ACCEPTED,
  InventoryMirror,
  LeaseTable,
  NATS,
  PartitionConsumers,
  TopologyWatch,
} from '@weir/messaging';
import { Health, Metrics, observeLag, observeTopology, Sealer } from '@weir/service-kit';
import { DataSource } from 'typeorm';
import { CodeRunner } from '../code/code-runner.js';
import { CONFIG, type Config } from '../config.js';
import { DeadLetterDays } from '../dead-letters/dead-letter-days.js';
import { DeadLetterWriter } from '../dead-letters/dead-letter-writer.js';
import { DeliveryCountRepository } from '../outcomes/delivery-count.repository.js';
import { RetryJournal } from '../outcomes/retry-journal.js';
import { Replayer } from '../replays/replayer.js';
import { TestRunRepository } from '../test-runs/test-run.repository.js';
import { BatchRouter } from './batch-router.js';
import { DeletedCheck } from './deleted-check.js';
import { DeliveryOutcomes } from './delivery-outcomes.js';
import { DELIVERY_SLOTS, DeliveryOwner } from './delivery-owner.js';
import { DeliveryProgress } from './delivery-progress.js';
import { DeliveryQueues } from './delivery-queues.js';
import { DeliveryShares } from './delivery-shares.js';
import { FairBudget } from './fair-budget.js';
import { ReleaseTable } from './release-table.js';
import { SuppressionCheck } from './suppression-check.js';
import { TrialReports } from './trial-reports.js';
import { UsedVersionRepository } from './used-version.repository.js';
import { UsedVersions } from './used-versions.js';

const CLEAN_UP_MS = 3_600_000;

/**
 * Budget in bytes for messages in memory, over all destinations of a process. A parsed message takes up to twenty times its size.
 * Together with the router's 48 MiB and its calls, the process stays below 768 MiB (docs/decisions/0006-delivery-shares.md).
 */
const MEMORY = { commonMax: 12_582_912, ownMax: 1_048_576, max: 16_777_216 };
/** Budget in events for lanes. Each event takes about a kilobyte. */
const LANES = { commonMax: 65_536, ownMax: 256, max: 98_304 };

/** Live delivery: routes accepted batches to queues, and works the queues that this process owns. */
@Injectable()
export class DeliveryService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Delivery');
  private readonly topology: TopologyWatch;
  private readonly router: PartitionConsumers;
  private readonly owner: DeliveryOwner;
  private cleaning: NodeJS.Timeout | undefined;

  constructor(
    @Inject(NATS) nats: NatsConnection,
    @Inject(CONFIG) config: Config,
    dataSource: DataSource,
    router: BatchRouter,
    private readonly inventory: InventoryMirror,
    private readonly releases: ReleaseTable,
    deadLetters: DeadLetterWriter,
    private readonly deadLetterDays: DeadLetterDays,
    private readonly usedVersions: UsedVersions,
    private readonly trials: TrialReports,
    private readonly usedVersionRows: UsedVersionRepository,
    private readonly testRuns: TestRunRepository,
    private readonly progress: DeliveryProgress,
    queues: DeliveryQueues,
    private readonly shares: DeliveryShares,
    deleted: DeletedCheck,
    code: CodeRunner,
    suppression: SuppressionCheck,
    private readonly outcomes: DeliveryOutcomes,
    private readonly counts: DeliveryCountRepository,
    private readonly retries: RetryJournal,
    private readonly replayer: Replayer,
    sealer: Sealer,
    health: Health,
    metrics: Metrics,
  ) {
    this.topology = new TopologyWatch({
      nats,
      streams: [EVENTS_ACCEPTED, DELIVERIES, `KV_${INVENTORY_BUCKET}`],
      roles: ['deliverer'],
      own: 'deliverer',
      log: this.logger,
    });
    this.router = new PartitionConsumers({
      nats,
      role: 'deliverer',
      leases: new LeaseTable(dataSource, { role: 'deliverer', slots: PARTITIONS }),
      handle: (messages, lease) => router.route(messages, lease),
      log: this.logger,
    });
    const line = {
      retryMaxMs: config.deliveryRetryMaxMs,
      newEgress: (owner: string) => new Egress({ ...config.egress, owner }),
    };
    const parts = {
      inventory,
      releases,
      usedVersions,
      trials,
      deadLetters,
      queues,
      shares,
      deleted,
      code,
      suppression,
      outcomes,
      progress,
      sealer,
      ...line,
    };
    const leases = new LeaseTable(dataSource, { role: 'delivery', slots: DELIVERY_SLOTS });
    this.owner = new DeliveryOwner(
      { ...parts, memory: new FairBudget(MEMORY), lanes: new FairBudget(LANES) },
      leases,
      nats,
    );
    observeLag(metrics, () => this.router.lag());
    observeTopology(this.topology, health, metrics);
    const { owner } = this;
    metrics.gauge({
      name: 'weir_delivery_queue_messages',
      help: 'Messages for destinations of this process that are not done, those in hand included',
      async collect() {
        this.set(await owner.waiting().catch(() => Number.NaN));
      },
    });
    health.register('inventory', () => inventory.reason);
    health.register('releases', () => (releases.isLoaded ? undefined : 'not loaded yet'));
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.prepareDays();
    await this.inventory.start();
    this.shares.start();
    this.releases.start();
    this.usedVersions.start();
    this.trials.start();
    this.outcomes.start();
    this.topology.start();
    this.owner.start();
    this.router.start();
    this.replayer.start();
    this.cleaning = setInterval(() => void this.cleanUp(), CLEAN_UP_MS);
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.cleaning);
    await Promise.all([this.replayer.stop(), this.router.stop(), this.owner.stop()]);
    await Promise.all([this.releases.stop(), this.usedVersions.stop(), this.trials.stop(), this.outcomes.stop()]);
    await this.shares.stop();
    await this.topology.stop();
    this.inventory.stop();
  }

  /** Removes the queues of deleted destinations. Runs periodically, and tests call it directly. */
  sweep(): Promise<void> {
    return this.owner.sweep();
  }

  private async cleanUp(): Promise<void> {
    await this.prepareDays();
    const kept = [this.deadLetterDays, this.usedVersionRows, this.testRuns, this.progress, this.counts, this.retries];
    await Promise.all(kept.map((rows) => rows.removeOld())).catch((error: Error) =>
      this.logger.warn(`what is old stays for now: ${error.message}`),
    );
  }

  /** A failure is harmless because the writer of a letter also creates a missing partition. */
  private async prepareDays(): Promise<void> {
    await this.deadLetterDays
      .prepare()
      .catch((error: Error) => this.logger.warn(`partitions of dead letters are made later: ${error.message}`));
  }
}
