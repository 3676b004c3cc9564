import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { DefinitionsModule } from '../inventory/definition.catalog.js';
import { DocsController } from './docs.controller.js';
import { OpenApiController, OpenApiService, RootController } from './openapi.controller.js';

/** API documentation for programs and people. */
@Module({
  imports: [DiscoveryModule, DefinitionsModule],
  controllers: [RootController, OpenApiController, DocsController],
  providers: [OpenApiService],
})
export class DocsModule {}
