import { Controller, Get, Res } from '@nestjs/common';
import { z } from 'zod';
import { Api } from '../http/api.js';
import type { Reply } from '../http/request.js';
import { OpenApiService } from './openapi.service.js';

@Controller()
export class OpenApiController {
  constructor(private readonly openApi: OpenApiService) {}

  @Get('openapi.json')
  @Api({
    summary: 'This document: OpenAPI 3.1',
    area: 'public',
    access: 'none',
    reply: z.string().meta({ contentMediaType: 'application/json' }),
  })
  document(@Res({ passthrough: true }) reply: Reply) {
    const { body, etag } = this.openApi;
    // If the client has the current document, only the tag is sent again.
    void reply.headers({ etag, 'cache-control': 'no-cache' }).type('application/json; charset=utf-8');
    return body;
  }
}
