import { isIP } from 'node:net';
import { FairLimiter, NoSlotError } from '@weir/messaging';
import { LRUCache } from 'lru-cache';
import { type EgressError, isEgressError } from './errors.js';
import type { ResolvedAddress } from './guard.js';
import { type Answer, LOOKUP_TIMEOUT_MS, notFound, notKnown, queryName } from './name-query.js';
import { type SystemFiles, SystemNames } from './system-names.js';

/** Each lookup costs a socket. An owner with nothing but silent names leaves most slots to others. */
const LOOKUP_LIMITS = { max: 256, ownerMax: 64, waitingMax: 1_024, waitMs: LOOKUP_TIMEOUT_MS };

/** Cached names, both found and not found. Takes about 10 MB at most. */
const NAMES_MAX = 4_096;
/** Minimum lifetime. Without it, a record with lifetime 0 causes a query for each connection of a flood. */
const TTL_MS_MIN = 1_000;
/** Maximum lifetime of an answer. Weir then notices a changed record even if it claims a longer lifetime. */
const TTL_MS_MAX = 300_000;
/** How long a missing name is cached, and how long a failed lookup is. */
const NOT_FOUND_MS = 10_000;
const FAILED_MS = 5_000;

/** Names that never exist (RFC 6761), so no lookup is needed. */
const NEVER = /(^|\.)invalid$/;

export interface NameResolverOptions {
  /** Name servers as `address` or `address:port`. Defaults to those of the system. */
  servers?: readonly string[];
  /** For tests. */
  files?: SystemFiles;
  /** For tests. A monotonic clock in milliseconds, above 0. */
  now?: () => number;
}

export interface LookupOptions {
  /** The owner whose slots the lookup uses. */
  owner: string;
  /** Whether the search domains of the machine apply. Only for internal names. */
  search: boolean;
}

type Outcome = { addresses: ResolvedAddress[] } | { error: EgressError };

/**
 * Resolves names like the system: hosts file, search domains, name servers. Uses no thread pool. Caches records for their
 * lifetime and failures briefly. Concurrent lookups of one name share one query.
 */
export class NameResolver {
  private readonly system: SystemNames;
  private readonly known: LRUCache<string, Outcome>;
  /** Queries in progress. Further lookups of the name share their result. */
  private readonly asking = new Map<string, Promise<ResolvedAddress[]>>();
  private readonly limiter = new FairLimiter(LOOKUP_LIMITS);

  constructor(private readonly options: NameResolverOptions = {}) {
    this.system = new SystemNames(options.files);
    const now = options.now ?? (() => performance.now());
    this.known = new LRUCache({ max: NAMES_MAX, perf: { now }, ttlResolution: 0 });
  }

  /** Throws {@link EgressError} `dns` and nothing else. */
  async lookup(host: string, { owner, search }: LookupOptions): Promise<ResolvedAddress[]> {
    const own = this.system.addressesOf(host);
    if (own) return own;
    if (NEVER.test(host)) throw notFound();
    const key = search ? `${host}/search` : host;
    return this.answered(key) ?? this.queued(owner, key, search ? this.system.candidatesOf(host) : [host]);
  }

  /**
   * Waits behind the owner's own lookups and never behind those of others. Shares a lookup of another owner only once it runs.
   */
  private async queued(owner: string, key: string, names: readonly string[]): Promise<ResolvedAddress[]> {
    try {
      return await this.limiter.use(owner, () => this.answered(key) ?? this.ask(key, names));
    } catch (error) {
      throw error instanceof NoSlotError ? notKnown(error.message) : error;
    }
  }

  /** A cached result, or the query in progress. */
  private answered(key: string): Promise<ResolvedAddress[]> | undefined {
    const known = this.known.get(key);
    if (!known) return this.asking.get(key);
    return 'error' in known ? Promise.reject(known.error) : Promise.resolve(known.addresses);
  }

  private ask(key: string, names: readonly string[]): Promise<ResolvedAddress[]> {
    const asked = this.askAll(key, names).finally(() => this.asking.delete(key));
    this.asking.set(key, asked);
    return asked;
  }

  private async askAll(key: string, names: readonly string[]): Promise<ResolvedAddress[]> {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), LOOKUP_TIMEOUT_MS);
    try {
      const { addresses, ttlSeconds } = await this.firstOf(names, timeout.signal);
      this.known.set(key, { addresses }, { ttl: Math.min(TTL_MS_MAX, Math.max(TTL_MS_MIN, ttlSeconds * 1_000)) });
      return addresses;
    } catch (cause) {
      const error = isEgressError(cause) ? cause : notKnown(String(cause));
      this.known.set(key, { error }, { ttl: error.errno === 'ENOTFOUND' ? NOT_FOUND_MS : FAILED_MS });
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Tries the names in order and returns the first result. If none resolves, any other failure takes precedence over `ENOTFOUND`.
   */
  private async firstOf(names: readonly string[], signal: AbortSignal): Promise<Answer> {
    let failure: unknown = notFound();
    for (const name of names) {
      try {
        return await queryName(name, { servers: this.options.servers ?? [], signal });
      } catch (error) {
        if (!isEgressError(error) || error.errno !== 'ENOTFOUND') failure = error;
      }
    }
    throw failure;
  }
}

/**
 * Parses `EGRESS_NAME_SERVERS`: `10.0.0.53, [fd00::53]:5353`. An empty text means those of the system. Throws an error that names
 * the first invalid entry.
 */
export function parseNameServers(text: string): string[] {
  const servers = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  for (const server of servers) {
    const [, bracketed, plain = server, port = '53'] = /^(?:\[([^\]]*)\]|([^:]*)):(\d{1,5})$/.exec(server) ?? [];
    if (isIP(bracketed ?? plain) === 0 || Number(port) < 1 || Number(port) > 65_535) {
      throw new TypeError(`"${server}" is not a name server; write it like 10.0.0.53 or [fd00::53]:53`);
    }
  }
  return servers;
}
