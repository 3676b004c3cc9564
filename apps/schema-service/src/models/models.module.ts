import { Module } from '@nestjs/common';
import { PrivacyModule } from '../privacy/privacy.module.js';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { ModelsController } from './models.controller.js';
import { ModelRepository, VersionRepository } from './models.repository.js';
import { ModelsService } from './models.service.js';

@Module({
  imports: [StatisticsModule, PrivacyModule],
  controllers: [ModelsController],
  providers: [ModelsService, ModelRepository, VersionRepository],
})
export class ModelsModule {}
