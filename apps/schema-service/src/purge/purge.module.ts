import { Module } from '@nestjs/common';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { LetterPurge } from './letter-purge.js';
import { ModelPurge, ModelPurgeRepository } from './model-purge.js';
import { PurgeController } from './purge.controller.js';
import { PurgeRepository } from './purge.repository.js';
import { PurgeService } from './purge.service.js';

@Module({
  imports: [StatisticsModule],
  controllers: [PurgeController],
  providers: [PurgeService, ModelPurge, LetterPurge, PurgeRepository, ModelPurgeRepository],
})
export class PurgeModule {}
