import { AppError } from '@weir/contracts';
import type { Request } from './request.js';

/** Methods that change nothing (RFC 9110 9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

export const FOREIGN_PAGE =
  'A session changes things only for pages of this server: the request must carry its Origin, or Sec-Fetch-Site: same-origin';

/**
 * Refuses requests that a page of another site, or of a sibling host, sends in a browser. Trusts what the browser says first,
 * and compares the origin with the host where it says nothing (plain HTTP). Requests of other programs carry neither header.
 */
export function requireOwnPage(request: Request, { ofSession }: { ofSession: boolean }): void {
  const { 'sec-fetch-site': site, origin } = request.headers;
  const isSafe = SAFE.has(request.method);
  if (site !== undefined) {
    // `none`: the user opened the address, for example a download.
    if (site === 'same-origin' || (isSafe && site === 'none')) return;
  } else if (origin !== undefined) {
    if (isOwnOrigin(origin, request)) return;
  } else if (isSafe || !ofSession) return;
  throw new AppError('forbidden', FOREIGN_PAGE);
}

/** Compares with the host that the request names. Fastify takes `X-Forwarded-*` from trusted proxies only. */
function isOwnOrigin(origin: string, { host, protocol }: Request): boolean {
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  // A proxy that ends TLS without being trusted makes https look like http, never the other way.
  if (protocol === 'https' && from.protocol !== 'https:') return false;
  const own = `${from.protocol}//${host}`;
  return URL.canParse(own) && new URL(own).host === from.host && from.host !== '';
}

/**
 * Whether a script of a page asks. A Basic challenge would make its browser ask the user for a password. Node's `fetch` sends a
 * mode too, but no site.
 */
export const isScript = ({ headers }: Request): boolean =>
  headers['sec-fetch-site'] !== undefined && headers['sec-fetch-mode'] !== 'navigate';
