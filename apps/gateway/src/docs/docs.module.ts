import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { OpenApiController } from '../openapi/openapi.controller.js';
import { OpenApiService } from '../openapi/openapi.service.js';
import { DocsController } from './docs.controller.js';

/** API documentation for programs and people. */
@Module({
  imports: [DiscoveryModule],
  controllers: [OpenApiController, DocsController],
  providers: [OpenApiService],
})
export class DocsModule {}
