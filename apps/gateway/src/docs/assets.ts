import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface Asset {
  contentType: string;
  body: Buffer;
  etag: string;
}

const CONTENT_TYPES = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
} as const;

/** A separate file, because the content security policy allows no inline scripts. */
const START = `window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

const asset = (contentType: string, body: Buffer): Asset => ({
  contentType,
  body,
  etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
});

/** Reads the page's files once, by name. */
export function readAssets(): ReadonlyMap<string, Asset> {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const files = Object.entries(CONTENT_TYPES).map(
    ([name, contentType]) => [name, asset(contentType, readFileSync(join(folder, name)))] as const,
  );
  return new Map([...files, ['start.js', asset('text/javascript; charset=utf-8', Buffer.from(START))]]);
}
