import { createHash } from 'node:crypto';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { notFound } from '@weir/contracts';
import { fastify } from 'fastify';
import { z } from 'zod';
import { Api } from '../http/api.js';
import { pathText } from '../http/fields.js';
import type { Reply, Request } from '../http/request.js';

interface Asset {
  contentType: string;
  body: Buffer;
  etag: string;
}

/**
 * A separate file, because the content security policy allows no inline scripts. Runs before Scalar, so that whatever Scalar
 * stores (credentials, the chosen theme) lives as long as the tab.
 */
const START = `Object.defineProperty(window, 'localStorage', { value: window.sessionStorage });
addEventListener('DOMContentLoaded', () => {
  window.Scalar.createApiReference('#app', {
    url: '/openapi.json',
    persistAuth: true,
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
    authentication: { preferredSecurityScheme: 'accessTokenBearer' },
  });
});
`;

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#2563eb" d="M1 2l7 6 7-6v4l-7 6-7-6z"/></svg>';

const asset = (contentType: string, body: Buffer): Asset => ({
  contentType,
  body,
  etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
});

/** Scalar's bundle, loaded when it is first asked for. Its package has no file of it, only a plugin that serves it. */
async function scalarBundle(): Promise<Buffer> {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const server = fastify();
  try {
    await server.register(reference, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
    return (await server.inject('/docs/js/scalar.js')).rawPayload;
  } finally {
    await server.close();
  }
}

async function readAssets(): Promise<ReadonlyMap<string, Asset>> {
  const script = 'text/javascript; charset=utf-8';
  return new Map([
    ['scalar.js', asset(script, await scalarBundle())],
    ['start.js', asset(script, Buffer.from(START))],
    ['icon.svg', asset('image/svg+xml', Buffer.from(ICON))],
  ]);
}

/** Calls `make` at the first use. A failure is not kept. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/**
 * Allows resources of this origin only, and nothing inline except the styles that Scalar sets. No page may frame this one.
 */
const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Weir API</title>
    <link rel="icon" type="image/svg+xml" href="/docs/icon.svg" />
    <script src="/docs/start.js"></script>
  </head>
  <body>
    <div id="app"></div>
    <script src="/docs/scalar.js"></script>
  </body>
</html>
`;

const AssetPath = z.object({ asset: pathText.meta({ description: 'Name of the file' }) });

/** Scalar over /openapi.json (docs/decisions/0046). */
@Controller()
export class DocsController {
  private readonly assets = once(readAssets);

  @Get('/docs')
  @Api({
    summary: 'Browse this document and try its routes',
    area: 'public',
    access: 'none',
    reply: z.string().meta({ contentMediaType: 'text/html' }),
  })
  page(@Res({ passthrough: true }) reply: Reply) {
    void reply.headers(SECURITY_HEADERS).type('text/html; charset=utf-8');
    return PAGE;
  }

  @Get('/docs/:asset')
  @Api({
    summary: 'Get a file of the documentation page',
    area: 'public',
    access: 'none',
    params: AssetPath,
    reply: z.unknown(),
  })
  async asset(
    @Param() { asset: name }: z.output<typeof AssetPath>,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: Reply,
  ) {
    const asset = (await this.assets()).get(name);
    if (!asset) throw notFound('file');
    void reply.headers({ ...SECURITY_HEADERS, etag: asset.etag, 'cache-control': 'no-cache' }).type(asset.contentType);
    if (request.headers['if-none-match'] !== asset.etag) return asset.body;
    void reply.status(304);
    return undefined;
  }
}
