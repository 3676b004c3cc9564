import { Module } from '@nestjs/common';
import { ModelRepository } from './model.repository.js';
import { ModelsController } from './models.controller.js';
import { ModelsService } from './models.service.js';
import { VersionRepository } from './version.repository.js';

@Module({ controllers: [ModelsController], providers: [ModelsService, ModelRepository, VersionRepository] })
export class ModelsModule {}
