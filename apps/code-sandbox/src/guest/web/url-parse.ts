import { ENCODE_SETS, percentEncode } from './url-encoding.js';
import { parseHost } from './url-host.js';

/** A parsed URL (URL Standard, section 4.1). */
export interface UrlRecord {
  /** Without the colon. */
  scheme: string;
  username: string;
  password: string;
  host: string | null;
  /** Empty if it is the default port of the scheme. */
  port: string;
  /** Segments, or the text of a path that cannot be a base (`mailto:…`). */
  path: string[] | string;
  query: string | null;
  fragment: string | null;
}

const DEFAULT_PORTS: Record<string, string> = {
  'http:': '80',
  'https:': '443',
  'ws:': '80',
  'wss:': '443',
  'ftp:': '21',
  'file:': '',
};

export const isSpecial = (scheme: string): boolean => Object.hasOwn(DEFAULT_PORTS, `${scheme}:`);

type Authority = Pick<UrlRecord, 'username' | 'password' | 'host' | 'port'>;
const NO_AUTHORITY: Authority = { username: '', password: '', host: null, port: '' };

/** Returns undefined if the input is not a URL. Gives drive letters in `file:` URLs no special meaning. */
export function parseUrl(input: string, base?: UrlRecord): UrlRecord | undefined {
  const text = withoutEnds(input).replace(/[\t\n\r]/g, '');
  const [, beforeFragment = '', fragmentText] = /^([^#]*)(?:#(.*))?$/s.exec(text) ?? [];
  const [, schemeText] = /^([a-z][a-z\d+.-]*):/i.exec(beforeFragment) ?? [];
  const scheme = schemeText?.toLowerCase();
  const fragment = fragmentText === undefined ? null : percentEncode(fragmentText, ENCODE_SETS.fragment);
  const parsed =
    scheme === undefined
      ? parseRelative(beforeFragment, base)
      : parseAbsolute(scheme, beforeFragment.slice(scheme.length + 1), base);
  if (!parsed || (base && isOpaque(base) && scheme === undefined && fragment === null)) return undefined;
  const isFollowed = parsed.query !== null || fragment !== null;
  const path = isOpaque(parsed) && isFollowed ? parsed.path.replace(/ $/, '%20') : parsed.path;
  return { ...parsed, path, fragment };
}

/** Strips leading and trailing control characters and spaces. */
function withoutEnds(input: string): string {
  let [start, end] = [0, input.length];
  while (start < end && input.charCodeAt(start) <= 0x20) start += 1;
  while (start < end && input.charCodeAt(end - 1) <= 0x20) end -= 1;
  return input.slice(start, end);
}

const isOpaque = <T extends { path: unknown }>(record: T): record is T & { path: string } =>
  typeof record.path === 'string';

type WithoutFragment = Omit<UrlRecord, 'fragment'>;

function parseAbsolute(scheme: string, rest: string, base?: UrlRecord): WithoutFragment | undefined {
  if (isSpecial(scheme)) {
    const isLikeBase = base?.scheme === scheme && !/^[/\\]{2}/.test(rest);
    if (isLikeBase) return parseRelative(rest, base);
    if (scheme === 'file') return parseFile(rest);
    return parseHierarchy(scheme, rest.replace(/^[/\\]*/, ''));
  }
  if (rest.startsWith('//')) return parseHierarchy(scheme, rest.slice(2));
  const { path, query } = splitQuery(rest, scheme);
  if (path.startsWith('/')) return { scheme, ...NO_AUTHORITY, path: segmentsOf(path.slice(1), scheme, []), query };
  return { scheme, ...NO_AUTHORITY, path: percentEncode(path, ENCODE_SETS.control), query };
}

function parseFile(rest: string): WithoutFragment | undefined {
  if (/^[/\\]{2}/.test(rest)) return parseHierarchy('file', rest.slice(2));
  const { path, query } = splitQuery(rest, 'file');
  return { scheme: 'file', ...NO_AUTHORITY, host: '', path: segmentsOf(path.replace(/^[/\\]/, ''), 'file', []), query };
}

function parseRelative(rest: string, base?: UrlRecord): WithoutFragment | undefined {
  if (!base) return undefined;
  const { scheme, username, password, host, port } = base;
  if (typeof base.path === 'string') return rest === '' ? { ...base } : undefined;
  const slashes = isSpecial(scheme) ? /^[/\\]{2}/ : /^\/\//;
  if (slashes.test(rest)) {
    const isLoose = isSpecial(scheme) && scheme !== 'file';
    return parseHierarchy(scheme, isLoose ? rest.replace(/^[/\\]*/, '') : rest.slice(2));
  }
  const { path, query } = splitQuery(rest, scheme);
  const same = { scheme, username, password, host, port };
  if (path === '') return { ...same, path: base.path, query: rest.startsWith('?') ? query : base.query };
  const isRooted = isSpecial(scheme) ? /^[/\\]/.test(path) : path.startsWith('/');
  const segments = isRooted ? segmentsOf(path.slice(1), scheme, []) : segmentsOf(path, scheme, base.path.slice(0, -1));
  return { ...same, path: segments, query };
}

/** Parses the part after `//`. */
function parseHierarchy(scheme: string, rest: string): WithoutFragment | undefined {
  const end = rest.search(isSpecial(scheme) ? /[/\\?]/ : /[/?]/);
  const authority = parseAuthority(end === -1 ? rest : rest.slice(0, end), scheme);
  if (!authority) return undefined;
  const { path, query } = splitQuery(end === -1 ? '' : rest.slice(end), scheme);
  const isEmpty = path === '' && !isSpecial(scheme);
  return { scheme, ...authority, path: isEmpty ? [] : segmentsOf(path.slice(1), scheme, []), query };
}

function parseAuthority(text: string, scheme: string): Authority | undefined {
  const at = text.lastIndexOf('@');
  const userinfo = at === -1 ? '' : text.slice(0, at);
  const [, name = '', secret = ''] = /^([^:]*):?(.*)$/s.exec(userinfo) ?? [];
  const place = parseHostAndPort(text.slice(at + 1), scheme);
  if (!place || (place.host === '' && at !== -1) || (scheme === 'file' && (at !== -1 || place.port !== '')))
    return undefined;
  const encoded = (part: string) => percentEncode(part, ENCODE_SETS.userinfo);
  return { username: encoded(name), password: encoded(secret), ...place };
}

export function parseHostAndPort(text: string, scheme: string): { host: string; port: string } | undefined {
  const [, hostText = '', portText] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(text) ?? [];
  if (hostText === '' && (portText !== undefined || (isSpecial(scheme) && scheme !== 'file'))) return undefined;
  if (text !== '' && hostText === '') return undefined;
  const host = hostText === '' ? '' : parseHost(hostText, isSpecial(scheme));
  const port = parsePort(portText ?? '', scheme);
  if (host === undefined || port === undefined) return undefined;
  return { host: scheme === 'file' && host === 'localhost' ? '' : host, port };
}

/** Returns an empty string for the default port of the scheme, and undefined if invalid. */
export function parsePort(text: string, scheme: string): string | undefined {
  if (text === '') return '';
  if (!/^\d+$/.test(text) || Number(text) > 65_535) return undefined;
  const port = String(Number(text));
  return port === DEFAULT_PORTS[`${scheme}:`] ? '' : port;
}

function splitQuery(text: string, scheme: string): { path: string; query: string | null } {
  const mark = text.indexOf('?');
  if (mark === -1) return { path: text, query: null };
  return { path: text.slice(0, mark), query: encodeQuery(text.slice(mark + 1), scheme) };
}

export const encodeQuery = (text: string, scheme: string): string =>
  percentEncode(text, isSpecial(scheme) ? ENCODE_SETS.specialQuery : ENCODE_SETS.query);

/** Appends the segments of the path. Resolves `.` and `..`, including percent-encoded ones. */
export function segmentsOf(path: string, scheme: string, before: string[]): string[] {
  const parts = path.split(isSpecial(scheme) ? /[/\\]/ : '/');
  const segments = [...before];
  parts.forEach((part, index) => {
    const isLast = index === parts.length - 1;
    const dots = part.replace(/%2e/gi, '.');
    if (dots === '..') segments.pop();
    if (dots !== '.' && dots !== '..') segments.push(percentEncode(part, ENCODE_SETS.path));
    else if (isLast) segments.push('');
  });
  return segments;
}

export function serializePath({ path }: UrlRecord): string {
  return typeof path === 'string' ? path : path.map((segment) => `/${segment}`).join('');
}

export function serializeUrl(record: UrlRecord): string {
  const { scheme, username, password, host, port, path, query, fragment } = record;
  const userinfo = username || password ? `${username}${password && `:${password}`}@` : '';
  const authority = host === null ? '' : `//${userinfo}${host}${port && `:${port}`}`;
  const guard = host === null && typeof path !== 'string' && path.length > 1 && path[0] === '' ? '/.' : '';
  const tail = `${query === null ? '' : `?${query}`}${fragment === null ? '' : `#${fragment}`}`;
  return `${scheme}:${authority}${guard}${serializePath(record)}${tail}`;
}
