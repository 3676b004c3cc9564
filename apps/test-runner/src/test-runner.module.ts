import { type DynamicModule, Module, type OnModuleDestroy } from '@nestjs/common';
import { EgressByOwner } from '@weir/egress';
import { KitModule, Sealer } from '@weir/service-kit';
import { CodeRunner, CredentialCache } from '@weir/stages';
import type { Config } from './config.js';
import { RunnerController } from './runner.controller.js';
import { SCHEMA } from './schema.js';
import { TestJournal } from './test-runs/test-journal.js';
import { TestRunExpiry, TestRunRepository } from './test-runs/test-run.repository.js';
import { TestService } from './tests/test.service.js';

/** Answers `runner.*` requests: tests, test runs, definitions, purges. */
@Module({})
export class TestRunnerModule implements OnModuleDestroy {
  constructor(private readonly egress: EgressByOwner) {}

  static register(config: Config): DynamicModule {
    return {
      module: TestRunnerModule,
      imports: [KitModule.register({ process: 'test-runner.main', config, schema: SCHEMA })],
      controllers: [RunnerController],
      providers: [
        TestService,
        TestJournal,
        TestRunRepository,
        TestRunExpiry,
        CodeRunner,
        CredentialCache,
        { provide: Sealer, useFactory: () => new Sealer(config.encryptionKey) },
        { provide: EgressByOwner, useFactory: () => new EgressByOwner(config.egress) },
      ],
    };
  }

  async onModuleDestroy(): Promise<void> {
    await this.egress.close();
  }
}
