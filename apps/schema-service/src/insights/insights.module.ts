import { Module } from '@nestjs/common';
import { VersionRepository } from '../models/models.repository.js';
import { ActivityController, ActivityRepository } from './activity.repository.js';
import { DriftListRepository } from './drift-list.repository.js';
import { InsightsController } from './insights.controller.js';
import { InsightsService } from './insights.service.js';
import { KeyCountRepository } from './key-facts.js';
import { ModelDaysListRepository } from './model-days-list.repository.js';

@Module({
  controllers: [InsightsController, ActivityController],
  providers: [
    InsightsService,
    KeyCountRepository,
    DriftListRepository,
    VersionRepository,
    ActivityRepository,
    ModelDaysListRepository,
  ],
})
export class InsightsModule {}
