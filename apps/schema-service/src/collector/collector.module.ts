import { Module } from '@nestjs/common';
import { EVENTS_ACCEPTED } from '@weir/messaging';
import { TopologyModule } from '@weir/service-kit';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { AppliedBatchesRepository } from './applied-batches.repository.js';
import { CollectorMetrics } from './collector.metrics.js';
import { CollectorService } from './collector.service.js';
import { DriftRepository, DriftService } from './drift.js';
import { FlushService } from './flush.service.js';
import { KeyFactsRepository } from './key-facts.repository.js';
import { LateEvents } from './late-events.js';
import { ModelDaysDeltaRepository, ModelDeltaRepository } from './model-delta.repository.js';
import { PruneService } from './prune.service.js';
import { ReliefService } from './relief.service.js';
import { UnreadableRepository } from './unreadable.repository.js';
import { VersionDeltaRepository } from './version-delta.repository.js';
import { WorkspaceBudget } from './workspace-budget.js';

@Module({
  imports: [
    TopologyModule.register({ streams: [EVENTS_ACCEPTED], roles: ['collector'], own: 'collector' }),
    StatisticsModule,
  ],
  providers: [
    AppliedBatchesRepository,
    UnreadableRepository,
    ModelDeltaRepository,
    ModelDaysDeltaRepository,
    KeyFactsRepository,
    VersionDeltaRepository,
    DriftRepository,
    DriftService,
    FlushService,
    LateEvents,
    CollectorMetrics,
    CollectorService,
    PruneService,
    WorkspaceBudget,
    ReliefService,
  ],
})
export class CollectorModule {}
