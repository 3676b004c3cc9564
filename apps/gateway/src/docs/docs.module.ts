import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { OpenApiController } from '../openapi/openapi.controller.js';
import { OpenApiService } from '../openapi/openapi.service.js';
import { DocsController } from './docs.controller.js';

/** What Weir answers, for programs and for people. */
@Module({
  imports: [DiscoveryModule],
  controllers: [OpenApiController, DocsController],
  providers: [OpenApiService],
})
export class DocsModule {}
