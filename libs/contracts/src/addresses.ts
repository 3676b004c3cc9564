import type { JsonObject } from './ids.js';

/**
 * What a server, or a proxy before it, may take for a folder above although it is none to a URL parser: encoded dots, slashes,
 * backslashes and percent signs, control characters, bytes that no UTF-8 has, `%u002e`, parameters of a segment (`..;`), and
 * segments of dots and spaces only.
 */
const CLIMBING = /%(?:25|2e|2f|3b|5c|[01][0-9a-f]|7f|c0|c1|u)|[\\;]|\/(?:\.|%20)+(?:\/|$)/i;

/**
 * Whether a web address is the same as another, or below it: same origin, same path or a deeper one by every reading of it,
 * and the parameters that the other one has unchanged. Nothing is below what is no http(s) address.
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
 * The keys among a definition's `addressKeys` by which a configuration leads elsewhere than another: a secret that was stored
 * for the one must not follow to the other (ruling 29). Web addresses may go deeper; anything else has to be equal.
 */
export const changedAddresses = (next: JsonObject, stored: JsonObject, addressKeys: readonly string[]): string[] =>
  addressKeys.filter((key) => !leadsToSame(next[key], stored[key]));

function leadsToSame(next: unknown, stored: unknown): boolean {
  if (JSON.stringify(next || null) === JSON.stringify(stored || null)) return true;
  return typeof next === 'string' && typeof stored === 'string' && isBelow(next, stored);
}
