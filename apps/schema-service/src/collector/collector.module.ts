import { Module } from '@nestjs/common';
import { AppliedBatchesRepository } from './applied-batches.repository.js';
import { CollectorMetrics } from './collector.metrics.js';
import { CollectorService } from './collector.service.js';
import { DeadLetterRepository } from './dead-letter.repository.js';
import { FlushService } from './flush.service.js';
import { ModelDeltaRepository } from './model-delta.repository.js';
import { PruneService } from './prune.service.js';
import { StatisticsDeltaRepository } from './statistics-delta.repository.js';
import { VersionDeltaRepository } from './version-delta.repository.js';

@Module({
  providers: [
    AppliedBatchesRepository,
    DeadLetterRepository,
    ModelDeltaRepository,
    VersionDeltaRepository,
    StatisticsDeltaRepository,
    FlushService,
    CollectorMetrics,
    CollectorService,
    PruneService,
  ],
})
export class CollectorModule {}
