import { Module } from '@nestjs/common';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { PurgeController } from './purge.controller.js';
import { PurgeRepository } from './purge.repository.js';
import { PurgeService } from './purge.service.js';

@Module({ imports: [StatisticsModule], controllers: [PurgeController], providers: [PurgeService, PurgeRepository] })
export class PurgeModule {}
