import { ENCODE_SETS, percentEncode } from './url-encoding.js';
import {
  encodeQuery,
  isSpecial,
  parseHostAndPort,
  parsePort,
  parseUrl,
  segmentsOf,
  serializePath,
  serializeUrl,
  type UrlRecord,
} from './url-parse.js';
import { URLSearchParams } from './url-search-params.js';

/**
 * The `URL` of the URL Standard, written for the isolate without any host function. Setters ignore invalid values. Nothing in the
 * class names the class itself, because the bundler would rename it and user code sees the name.
 */
export class URL {
  #record: UrlRecord;
  #params: URLSearchParams | undefined;

  constructor(url: unknown, base?: unknown) {
    this.#record = validRecord(url, base);
  }

  static canParse(url: unknown, base?: unknown): boolean {
    return recordOf(url, base) !== undefined;
  }
  static parse(url: unknown, base?: unknown): URL | null {
    return recordOf(url, base) ? newUrl(url, base) : null;
  }

  get href(): string {
    return serializeUrl(this.#record);
  }
  set href(value: unknown) {
    this.#record = validRecord(value);
    this.#params = undefined;
  }
  get origin(): string {
    const { scheme } = this.#record;
    return isSpecial(scheme) && scheme !== 'file' ? `${scheme}://${this.host}` : 'null';
  }
  get protocol(): string {
    return `${this.#record.scheme}:`;
  }
  set protocol(value: unknown) {
    const [, scheme] = /^([a-z][a-z\d+.-]*)(:|$)/i.exec(String(value)) ?? [];
    const lower = scheme?.toLowerCase();
    const { host, username, password, port } = this.#record;
    if (lower === undefined || isSpecial(lower) !== isSpecial(this.#record.scheme)) return;
    if (lower === 'file' && (username || password || port)) return;
    if (this.#record.scheme === 'file' && host === '') return;
    this.#change({ scheme: lower, port: parsePort(port, lower) ?? '' });
  }
  get username(): string {
    return this.#record.username;
  }
  set username(value: unknown) {
    if (this.#hasPlace) this.#change({ username: percentEncode(String(value), ENCODE_SETS.userinfo) });
  }
  get password(): string {
    return this.#record.password;
  }
  set password(value: unknown) {
    if (this.#hasPlace) this.#change({ password: percentEncode(String(value), ENCODE_SETS.userinfo) });
  }
  get host(): string {
    const { host, port } = this.#record;
    return `${host ?? ''}${port && `:${port}`}`;
  }
  set host(value: unknown) {
    const place = this.#placeOf(value);
    if (place) this.#change({ host: place.host, port: /:\d/.test(String(value)) ? place.port : this.#record.port });
  }
  get hostname(): string {
    return this.#record.host ?? '';
  }
  set hostname(value: unknown) {
    const text = String(value);
    const place = /:/.test(text) && !text.startsWith('[') ? undefined : this.#placeOf(value);
    if (place) this.#change({ host: place.host });
  }
  get port(): string {
    return this.#record.port;
  }
  set port(value: unknown) {
    const text = String(value);
    const port = parsePort(text === '' ? '' : (/^\d+/.exec(text)?.[0] ?? 'none'), this.#record.scheme);
    if (this.#hasPlace && port !== undefined) this.#change({ port });
  }
  get pathname(): string {
    return serializePath(this.#record);
  }
  set pathname(value: unknown) {
    const { scheme, path } = this.#record;
    if (typeof path === 'string') return;
    const isCleared = value === '' && !isSpecial(scheme);
    const rooted = String(value).replace(isSpecial(scheme) ? /^[/\\]/ : /^\//, '');
    this.#change({ path: isCleared ? [] : segmentsOf(rooted, scheme, []) });
  }
  get search(): string {
    return this.#record.query ? `?${this.#record.query}` : '';
  }
  set search(value: unknown) {
    const text = String(value);
    this.#change({ query: text === '' ? null : encodeQuery(text.replace(/^\?/, ''), this.#record.scheme) });
    this.#params = undefined;
  }
  get searchParams(): URLSearchParams {
    this.#params ??= new URLSearchParams(this.search, () => {
      this.#change({ query: String(this.#params) || null });
    });
    return this.#params;
  }
  get hash(): string {
    return this.#record.fragment ? `#${this.#record.fragment}` : '';
  }
  set hash(value: unknown) {
    const text = String(value);
    this.#change({ fragment: text === '' ? null : percentEncode(text.replace(/^#/, ''), ENCODE_SETS.fragment) });
  }
  toString(): string {
    return this.href;
  }
  toJSON(): string {
    return this.href;
  }
  get [Symbol.toStringTag](): string {
    return 'URL';
  }

  /** Whether it has a host, and so may have a user and a port. */
  get #hasPlace(): boolean {
    return Boolean(this.#record.host) && this.#record.scheme !== 'file';
  }

  #placeOf(value: unknown): { host: string; port: string } | undefined {
    const { scheme, path } = this.#record;
    if (typeof path === 'string') return undefined;
    const [text = ''] = String(value).split(isSpecial(scheme) ? /[/\\?#]/ : /[/?#]/);
    return text.includes('@') ? undefined : parseHostAndPort(text, scheme);
  }

  #change(part: Partial<UrlRecord>): void {
    this.#record = { ...this.#record, ...part };
  }
}

const newUrl = (url: unknown, base: unknown) => new URL(url, base);

function validRecord(url: unknown, base?: unknown): UrlRecord {
  const record = recordOf(url, base);
  if (record) return record;
  throw Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL', input: String(url) });
}

function recordOf(url: unknown, base: unknown): UrlRecord | undefined {
  if (base === undefined) return parseUrl(String(url));
  const parsedBase = parseUrl(String(base));
  return parsedBase && parseUrl(String(url), parsedBase);
}
