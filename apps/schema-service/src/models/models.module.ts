import { Module } from '@nestjs/common';
import { PrivacyModule } from '../privacy/privacy.module.js';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { ModelRepository } from './model.repository.js';
import { ModelsController } from './models.controller.js';
import { ModelsService } from './models.service.js';
import { VersionRepository } from './version.repository.js';

@Module({
  imports: [StatisticsModule, PrivacyModule],
  controllers: [ModelsController],
  providers: [ModelsService, ModelRepository, VersionRepository],
})
export class ModelsModule {}
