import type { JsonObject } from './ids.js';

/**
 * Character sequences that a server or proxy may read as a parent folder, although a URL parser does not:
 * - encoded dots, slashes, backslashes and percent signs, `%u002e`
 * - control characters and bytes that are invalid in UTF-8
 * - segment parameters (`..;`), and segments that hold only dots and spaces
 */
const CLIMBING = /%(?:25|2e|2f|3b|5c|[01][0-9a-f]|7f|c0|c1|u)|[\\;]|\/(?:\.|%20)+(?:\/|$)/i;

/**
 * Whether a web address equals `base` or lies below it. Both need the same origin. The path must be the same or deeper, however a
 * server reads it. The parameters of `base` must be unchanged. False for anything that is not an http(s) address.
 */
export function isBelow(address: string, base: string): boolean {
  const [to, from] = [webAddress(address), webAddress(base)];
  if (!to || !from || to.origin !== from.origin || to.username !== '' || to.password !== '') return false;
  return isPathBelow(to.pathname, from.pathname) && keepsParams(to.searchParams, from.searchParams);
}

function webAddress(text: string): URL | undefined {
  const url = URL.parse(text);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined;
}

function isPathBelow(path: string, base: string): boolean {
  if (path === base) return true;
  const folder = base.endsWith('/') ? base : `${base}/`;
  return path.startsWith(folder) && !CLIMBING.test(`/${path.slice(folder.length)}`);
}

const keepsParams = (params: URLSearchParams, base: URLSearchParams): boolean =>
  [...new Set(base.keys())].every((name) => params.getAll(name).join('\n') === base.getAll(name).join('\n'));

/**
 * The keys in a definition's `addressKeys` whose address differs between two configurations. A stored secret must not follow to
 * another address (ruling 29). A web address may become deeper. Any other value must stay equal.
 */
export const changedAddresses = (next: JsonObject, stored: JsonObject, addressKeys: readonly string[]): string[] =>
  addressKeys.filter((key) => !leadsToSame(next[key], stored[key]));

function leadsToSame(next: unknown, stored: unknown): boolean {
  if (JSON.stringify(next || null) === JSON.stringify(stored || null)) return true;
  return typeof next === 'string' && typeof stored === 'string' && isBelow(next, stored);
}
