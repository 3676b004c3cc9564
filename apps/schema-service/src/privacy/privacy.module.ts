import { Module } from '@nestjs/common';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { ForgettingService } from './forgetting.service.js';
import { PrivacyRepository } from './privacy.repository.js';
import { PrivacyController, PrivacyService } from './privacy.service.js';

@Module({
  imports: [StatisticsModule],
  controllers: [PrivacyController],
  providers: [PrivacyService, PrivacyRepository, ForgettingService],
  exports: [PrivacyService],
})
export class PrivacyModule {}
