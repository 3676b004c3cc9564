import { type DynamicModule, Inject, Module, type OnModuleDestroy } from '@nestjs/common';
import { EgressByOwner } from '@weir/egress';
import { KitModule } from '@weir/service-kit';
import type { FetcherConfig } from './config.js';
import { OUTBOUND } from './egress/outbound.js';
import { FetchController } from './fetch/fetch.controller.js';
import { FetchService } from './fetch/fetch.service.js';

/** Makes HTTP calls for user code. Has no database and no key. */
@Module({})
export class FetcherModule implements OnModuleDestroy {
  constructor(@Inject(OUTBOUND) private readonly egress: EgressByOwner) {}

  static register({ natsUrl, egress }: FetcherConfig): DynamicModule {
    return {
      module: FetcherModule,
      imports: [KitModule.register({ process: 'test-runner.fetcher', natsUrl })],
      controllers: [FetchController],
      providers: [FetchService, { provide: OUTBOUND, useFactory: () => new EgressByOwner(egress) }],
    };
  }

  async onModuleDestroy(): Promise<void> {
    await this.egress.close();
  }
}
