import { type DynamicModule, Module } from '@nestjs/common';
import type { Config } from './config.js';
import { CoreModule } from './core.module.js';
import { BatchFilter } from './filter/batch-filter.js';
import { DeadLetterRepository } from './filter/dead-letter.repository.js';
import { DeadLetterRetention } from './filter/dead-letter.retention.js';
import { FilterMetrics } from './filter/filter.metrics.js';
import { FilterService } from './filter/filter.service.js';
import { SuppressionService } from './suppression/suppression.service.js';

/** Moves batches from EVENTS_RAW to EVENTS_ACCEPTED, without suppressed events. */
@Module({})
export class FilterModule {
  static register(config: Config): DynamicModule {
    return {
      module: FilterModule,
      imports: [CoreModule.register('regulation-service.filter', config)],
      providers: [
        FilterService,
        BatchFilter,
        FilterMetrics,
        DeadLetterRepository,
        DeadLetterRetention,
        SuppressionService,
      ],
    };
  }
}
