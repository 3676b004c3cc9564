import { type DynamicModule, Module, type OnModuleDestroy } from '@nestjs/common';
import { EgressByOwner } from '@weir/egress';
import { KitModule } from '@weir/service-kit';
import type { FetcherConfig } from './config.js';
import { FetchController } from './fetch/fetch.controller.js';
import { FetchService } from './fetch/fetch.service.js';

/** Makes HTTP calls for user code. Has no database and no key. */
@Module({})
export class FetcherModule implements OnModuleDestroy {
  constructor(private readonly egress: EgressByOwner) {}

  static register(config: FetcherConfig): DynamicModule {
    return {
      module: FetcherModule,
      imports: [KitModule.register({ process: 'delivery-service.fetcher', config })],
      controllers: [FetchController],
      providers: [FetchService, { provide: EgressByOwner, useFactory: () => new EgressByOwner(config.egress) }],
    };
  }

  async onModuleDestroy(): Promise<void> {
    await this.egress.close();
  }
}
