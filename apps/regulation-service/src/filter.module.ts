import { type DynamicModule, Module } from '@nestjs/common';
import { EVENTS_ACCEPTED, EVENTS_RAW, type TopologyWatchOptions } from '@weir/messaging';
import { TopologyModule } from '@weir/service-kit';
import type { FilterConfig } from './config.js';
import { CoreModule } from './core.module.js';
import { BatchFilter } from './filter/batch-filter.js';
import { FilterService } from './filter/filter.service.js';
import { SuppressedTeller } from './filter/suppressed-teller.js';
import { UnreadableRepository, UnreadableRetention } from './filter/unreadable.repository.js';
import { SuppressionService } from './suppression/suppression.service.js';

/** The consumers of EVENTS_ACCEPTED count, too: without one of them, the stream drops its messages. */
export const TOPOLOGY: Omit<TopologyWatchOptions, 'nats' | 'log'> = {
  streams: [EVENTS_RAW, EVENTS_ACCEPTED],
  roles: ['filter', 'collector', 'deliverer'],
  own: 'filter',
};

/** Moves batches from EVENTS_RAW to EVENTS_ACCEPTED, without suppressed events. */
@Module({})
export class FilterModule {
  static register(config: FilterConfig): DynamicModule {
    return {
      module: FilterModule,
      imports: [CoreModule.register('regulation-service.filter', config), TopologyModule.register(TOPOLOGY)],
      providers: [
        ...[FilterService, BatchFilter, SuppressedTeller, UnreadableRepository, UnreadableRetention],
        SuppressionService,
      ],
    };
  }
}
