import { Module } from '@nestjs/common';
import { VersionRepository } from '../models/models.repository.js';
import { DriftListRepository } from './drift-list.repository.js';
import { InsightsController } from './insights.controller.js';
import { InsightsService } from './insights.service.js';
import { KeyCountRepository } from './key-facts.js';

@Module({
  controllers: [InsightsController],
  providers: [InsightsService, KeyCountRepository, DriftListRepository, VersionRepository],
})
export class InsightsModule {}
