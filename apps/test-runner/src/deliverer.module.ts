import type { NatsConnection } from '@nats-io/transport-node';
import { type DynamicModule, Logger, Module } from '@nestjs/common';
import { InventoryMirror, NATS } from '@weir/messaging';
import { KitModule, Sealer } from '@weir/service-kit';
import { CodeRunner } from './code/code-runner.js';
import { CredentialCache } from './code/credential-cache.js';
import { CONFIG, type Config } from './config.js';
import { DeadLetterRepository } from './dead-letters/dead-letter.repository.js';
import { DeadLetterDays } from './dead-letters/dead-letter-days.js';
import { DeadLetterWriter } from './dead-letters/dead-letter-writer.js';
import { BatchRouter } from './deliveries/batch-router.js';
import { DeletedCheck } from './deliveries/deleted-check.js';
import { DeliveryService } from './deliveries/delivery.service.js';
import { DeliveryMetrics } from './deliveries/delivery-metrics.js';
import { DeliveryOutcomes } from './deliveries/delivery-outcomes.js';
import { DeliveryProgress } from './deliveries/delivery-progress.js';
import { DeliveryQueues } from './deliveries/delivery-queues.js';
import { DeliveryShares } from './deliveries/delivery-shares.js';
import { Overflow } from './deliveries/overflow.js';
import { ReleaseTable } from './deliveries/release-table.js';
import { ShareTable } from './deliveries/share-table.js';
import { SuppressionCheck } from './deliveries/suppression-check.js';
import { TrialReports } from './deliveries/trial-reports.js';
import { UsedVersionRepository } from './deliveries/used-version.repository.js';
import { UsedVersions } from './deliveries/used-versions.js';
import { migrations } from './migrations/index.js';
import { DeliveryCountRepository } from './outcomes/delivery-count.repository.js';
import { DeliveryCounts } from './outcomes/delivery-counts.js';
import { LiveOutcomes } from './outcomes/live-outcomes.js';
import { RetryJournal } from './outcomes/retry-journal.js';
import { ReplayRepository } from './replays/replay.repository.js';
import { Replayer } from './replays/replayer.js';
import { TestRunRepository } from './test-runs/test-run.repository.js';

/** Live delivery. Has no request handlers. */
@Module({})
export class DelivererModule {
  static register(config: Config): DynamicModule {
    const { natsUrl, databaseUrl: url, databasePoolMax: poolMax, databaseDurability: durability } = config;
    const database = { schema: 'runner' as const, url, poolMax, durability, migrations };
    return {
      module: DelivererModule,
      imports: [KitModule.register({ process: 'test-runner.deliverer', natsUrl, database })],
      providers: [
        DeliveryService,
        BatchRouter,
        DeliveryQueues,
        DeletedCheck,
        DeliveryShares,
        ShareTable,
        Overflow,
        DeliveryMetrics,
        DeliveryOutcomes,
        DeliveryCounts,
        DeliveryCountRepository,
        RetryJournal,
        LiveOutcomes,
        Replayer,
        ReplayRepository,
        DeliveryProgress,
        ReleaseTable,
        SuppressionCheck,
        TrialReports,
        UsedVersionRepository,
        UsedVersions,
        CodeRunner,
        CredentialCache,
        DeadLetterDays,
        DeadLetterRepository,
        DeadLetterWriter,
        TestRunRepository,
        { provide: CONFIG, useValue: config },
        { provide: Sealer, useFactory: () => new Sealer(config.encryptionKey) },
        {
          provide: InventoryMirror,
          inject: [NATS],
          useFactory: (nats: NatsConnection) => new InventoryMirror(nats, new Logger(InventoryMirror.name)),
        },
      ],
    };
  }
}
