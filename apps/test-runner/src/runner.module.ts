import { type DynamicModule, Inject, Module, type OnModuleDestroy } from '@nestjs/common';
import { EgressByOwner } from '@weir/egress';
import { KitModule, Sealer } from '@weir/service-kit';
import { CodeRunner } from './code/code-runner.js';
import { CredentialCache } from './code/credential-cache.js';
import type { Config } from './config.js';
import { DeadLetterRepository } from './dead-letters/dead-letter.repository.js';
import { DeadLetterDays } from './dead-letters/dead-letter-days.js';
import { DefinitionController } from './definitions/definition.controller.js';
import { UsedVersionController } from './deliveries/used-version.controller.js';
import { UsedVersionRepository } from './deliveries/used-version.repository.js';
import { OUTBOUND } from './egress/outbound.js';
import { migrations } from './migrations/index.js';
import { DeliveryController } from './outcomes/delivery.controller.js';
import { DeliveryCountRepository } from './outcomes/delivery-count.repository.js';
import { DeliveryListRepository } from './outcomes/delivery-list.repository.js';
import { PurgeController } from './purge/purge.controller.js';
import { ReplayRepository } from './replays/replay.repository.js';
import { TestJournal } from './test-runs/test-journal.js';
import { TestRunController } from './test-runs/test-run.controller.js';
import { TestRunRepository } from './test-runs/test-run.repository.js';
import { TestController } from './tests/test.controller.js';
import { TestService } from './tests/test.service.js';

/** Answers `runner.*` requests: tests, definitions, purges. */
@Module({})
export class RunnerModule implements OnModuleDestroy {
  constructor(@Inject(OUTBOUND) private readonly egress: EgressByOwner) {}

  static register(config: Config): DynamicModule {
    const { natsUrl, databaseUrl: url, databasePoolMax: poolMax, databaseDurability: durability } = config;
    const database = { schema: 'runner' as const, url, poolMax, durability, migrations };
    return {
      module: RunnerModule,
      imports: [KitModule.register({ process: 'test-runner.main', natsUrl, database })],
      controllers: [
        TestController,
        DefinitionController,
        DeliveryController,
        PurgeController,
        TestRunController,
        UsedVersionController,
      ],
      providers: [
        TestService,
        TestJournal,
        TestRunRepository,
        CodeRunner,
        CredentialCache,
        DeadLetterDays,
        DeadLetterRepository,
        UsedVersionRepository,
        DeliveryCountRepository,
        DeliveryListRepository,
        ReplayRepository,
        { provide: Sealer, useFactory: () => new Sealer(config.encryptionKey) },
        { provide: OUTBOUND, useFactory: () => new EgressByOwner(config.egress) },
      ],
    };
  }

  async onModuleDestroy(): Promise<void> {
    await this.egress.close();
  }
}
