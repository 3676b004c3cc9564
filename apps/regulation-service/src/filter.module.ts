import { type DynamicModule, Module } from '@nestjs/common';
import type { FilterConfig } from './config.js';
import { CoreModule } from './core.module.js';
import { BatchFilter } from './filter/batch-filter.js';
import { FilterService } from './filter/filter.service.js';
import { SuppressedTeller } from './filter/suppressed-teller.js';
import { UnreadableRepository, UnreadableRetention } from './filter/unreadable.repository.js';
import { SuppressionService } from './suppression/suppression.service.js';

/** Moves batches from EVENTS_RAW to EVENTS_ACCEPTED, without suppressed events. */
@Module({})
export class FilterModule {
  static register(config: FilterConfig): DynamicModule {
    return {
      module: FilterModule,
      imports: [CoreModule.register('regulation-service.filter', config)],
      providers: [
        ...[FilterService, BatchFilter, SuppressedTeller, UnreadableRepository, UnreadableRetention],
        SuppressionService,
      ],
    };
  }
}
