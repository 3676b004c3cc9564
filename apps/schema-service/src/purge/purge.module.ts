import { Module } from '@nestjs/common';
import { PurgeController } from './purge.controller.js';
import { PurgeRepository } from './purge.repository.js';
import { PurgeService } from './purge.service.js';

@Module({ controllers: [PurgeController], providers: [PurgeService, PurgeRepository] })
export class PurgeModule {}
