import { Module } from '@nestjs/common';
import { FoldService } from './fold.js';
import { StatisticsRepository } from './statistics.repository.js';

@Module({ providers: [StatisticsRepository, FoldService], exports: [StatisticsRepository, FoldService] })
export class StatisticsModule {}
