import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { notFound } from '@weir/contracts';
import { z } from 'zod';
import { Api } from '../http/api.js';
import { pathText } from '../http/fields.js';
import type { Reply, Request } from '../http/request.js';
import { readAssets } from './assets.js';

/**
 * Allows resources of this origin only, and nothing inline except the styles that Swagger UI sets. No page may frame this one.
 */
const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Weir API</title>
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png" />
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

const AssetPath = z.object({ asset: pathText });

/** Swagger UI over /openapi.json. */
@Controller('docs')
export class DocsController {
  private readonly assets = readAssets();

  @Get()
  @Api({
    summary: 'This document to read and to try out',
    area: 'public',
    access: 'none',
    reply: z.string().meta({ contentMediaType: 'text/html' }),
  })
  page(@Res({ passthrough: true }) reply: Reply) {
    void reply.headers(SECURITY_HEADERS).type('text/html; charset=utf-8');
    return PAGE;
  }

  @Get(':asset')
  @Api({ summary: 'A file of that page', area: 'public', access: 'none', params: AssetPath, reply: z.unknown() })
  asset(
    @Param() { asset: name }: z.output<typeof AssetPath>,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: Reply,
  ) {
    const asset = this.assets.get(name);
    if (!asset) throw notFound('file');
    void reply.headers({ ...SECURITY_HEADERS, etag: asset.etag, 'cache-control': 'no-cache' }).type(asset.contentType);
    if (request.headers['if-none-match'] !== asset.etag) return asset.body;
    void reply.status(304);
    return undefined;
  }
}
