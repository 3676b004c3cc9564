import { parseAddress } from './address.js';
import { EgressError } from './errors.js';

/** Longer than any endpoint that somebody configures. Limits what is parsed, logged and stored. In characters. */
export const URL_LENGTH_MAX = 2_048;
const HOST_LENGTH_MAX = 253;

/** Names with a meaning only inside a cluster or a machine (RFC 6761, 6762, 9476 and Kubernetes). */
const INTERNAL_SUFFIX = /(^|\.)(svc|local|internal|localhost|localdomain|intranet|lan|home|corp|private|arpa)$/;

/** The target of a request, with its host in canonical form. */
export interface Target {
  /** A name in lower-case ASCII without a trailing dot, or an address in canonical form without brackets. */
  host: string;
  port: number;
  /** Whether TLS starts with the first byte. */
  secure: boolean;
}

export interface HttpTarget extends Target {
  origin: string;
  path: string;
}

const invalidUrl = (problem: string) => new EgressError('invalid_url', `The URL ${problem}`);

/** The caller may raise the limit for a URL of which nobody but Weir chooses host and path. */
export function parseHttpTarget(text: string, lengthMax = URL_LENGTH_MAX): HttpTarget {
  if (text.length > lengthMax) throw invalidUrl(`is longer than ${lengthMax} characters`);
  const url = URL.parse(text);
  if (!url) throw invalidUrl('cannot be read');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw invalidUrl('must start with https://');
  if (url.username !== '' || url.password !== '') throw invalidUrl('must not hold a user name or password');
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  const secure = url.protocol === 'https:';
  const port = Number(url.port) || (secure ? 443 : 80);
  return { host: checkedHost(url.hostname), port, secure, origin: url.origin, path: url.pathname + url.search };
}

/** Parses a host for protocols other than HTTP, in any notation that a connect would accept. */
export function parseSocketTarget(host: string, port: number, secure: boolean): Target {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw invalidUrl('has no valid port');
  const bare = host.replace(/\.$/, '');
  const literal = bare.includes(':') && !bare.startsWith('[') ? `[${bare}]` : bare;
  if (!/^(\[[\da-f:.]+\]|[^\s/\\?#@:%[\]]+)$/i.test(literal)) throw invalidUrl('has no valid host');
  // The URL parser converts every notation of an address (decimal, hex, octal, short) to the form that is checked.
  const url = URL.parse(`https://${literal}`);
  if (!url) throw invalidUrl('has no valid host');
  return { host: checkedHost(url.hostname), port, secure };
}

function checkedHost(hostname: string): string {
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  if (parseAddress(host)) return host;
  const isName = host.length <= HOST_LENGTH_MAX && host.split('.').every((label) => /^[\w-]{1,63}$/.test(label));
  if (!isName) throw invalidUrl('has no valid host');
  return host;
}

/** A name without a dot is internal as well, because the machine's search domains apply to it. */
export function isInternalName(host: string): boolean {
  return parseAddress(host) === undefined && (!host.includes('.') || INTERNAL_SUFFIX.test(host));
}
