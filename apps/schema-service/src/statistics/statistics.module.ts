import { Module } from '@nestjs/common';
import { FoldService } from './fold.js';
import { StatisticsRepository } from './statistics.repository.js';
import { StoredBytesRepository } from './stored-bytes.repository.js';

const providers = [StatisticsRepository, StoredBytesRepository, FoldService];

@Module({ providers, exports: providers })
export class StatisticsModule {}
