import { type DynamicModule, Module } from '@nestjs/common';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { AppliedBatchesRepository } from './applied-batches.repository.js';
import { CAPS, type Caps } from './caps.js';
import { CollectorMetrics } from './collector.metrics.js';
import { CollectorService } from './collector.service.js';
import { DeadLetterRepository } from './dead-letter.repository.js';
import { DriftRepository } from './drift.repository.js';
import { DriftService } from './drift.service.js';
import { FlushService } from './flush.service.js';
import { LateEvents } from './late-events.js';
import { ModelDeltaRepository } from './model-delta.repository.js';
import { PruneService } from './prune.service.js';
import { VersionDeltaRepository } from './version-delta.repository.js';

@Module({
  imports: [StatisticsModule],
  providers: [
    AppliedBatchesRepository,
    DeadLetterRepository,
    ModelDeltaRepository,
    VersionDeltaRepository,
    DriftRepository,
    DriftService,
    FlushService,
    LateEvents,
    CollectorMetrics,
    CollectorService,
    PruneService,
  ],
})
export class CollectorModule {
  static register(caps: Caps): DynamicModule {
    return { module: CollectorModule, providers: [{ provide: CAPS, useValue: caps }] };
  }
}
