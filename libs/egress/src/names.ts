import { isIP } from 'node:net';
import { type EgressError, isEgressError } from './errors.js';
import { FairSlots, NoSlotError } from './fair-slots.js';
import type { ResolvedAddress } from './guard.js';
import { type Answer, LOOKUP_TIMEOUT_MS, notFound, notKnown, queryName } from './name-query.js';
import { type SystemFiles, SystemNames } from './system-names.js';

/** Each look-up costs a socket; an owner that asks for nothing but silent names leaves most of them to the others. */
const LOOKUP_SLOTS = { max: 256, ownerMax: 64, waitingMax: 1_024, waitMs: LOOKUP_TIMEOUT_MS };

/** Names that are remembered, with what they are or that they are not: some 10 MB at most. */
const NAMES_MAX = 4_096;
/** A record that asks not to be kept is kept for a moment: else each connection of a flood is a question. */
const TTL_MS_MIN = 1_000;
/** Longer than that nobody waits for a change of a record, whatever it says about itself. */
const TTL_MS_MAX = 300_000;
/** How long it is remembered that a name does not exist, and that nobody said anything about it. */
const NOT_FOUND_MS = 10_000;
const FAILED_MS = 5_000;

/** Names that exist nowhere (RFC 6761): nobody is asked. */
const NEVER = /(^|\.)invalid$/;

export interface NameResolverOptions {
  /** Name servers as `address` or `address:port`; those of the system by default. */
  servers?: readonly string[];
  /** For tests. */
  files?: SystemFiles;
  /** For tests; a monotonic clock in milliseconds. */
  now?: () => number;
}

export interface LookupOptions {
  /** Who pays for the look-up. */
  owner: string;
  /** Whether the search domains of the machine apply: for names that are known inside only. */
  search: boolean;
}

interface Known {
  until: number;
  outcome: { addresses: ResolvedAddress[] } | { error: EgressError };
}

/**
 * Addresses of names, as the system would tell them: hosts file, search domains, name servers. It uses no thread pool,
 * remembers answers for as long as they say and failures for a moment, and asks once for whoever wants the same name.
 */
export class NameResolver {
  private readonly system: SystemNames;
  private readonly known = new Map<string, Known>();
  /** Questions under way: whoever else wants the name gets the same answer. */
  private readonly asking = new Map<string, Promise<ResolvedAddress[]>>();
  private readonly slots = new FairSlots(LOOKUP_SLOTS);
  private readonly now: () => number;

  constructor(private readonly options: NameResolverOptions = {}) {
    this.system = new SystemNames(options.files);
    this.now = options.now ?? (() => performance.now());
  }

  /** Throws {@link EgressError} `dns` and nothing else. */
  async lookup(host: string, { owner, search }: LookupOptions): Promise<ResolvedAddress[]> {
    const own = this.system.addressesOf(host);
    if (own) return own;
    if (NEVER.test(host)) throw notFound();
    const key = search ? `${host}/search` : host;
    return this.answered(key) ?? this.queued(owner, key, search ? this.system.candidatesOf(host) : [host]);
  }

  /** Waits behind the owner's own look-ups and never behind those of others: joins them only when they are under way. */
  private async queued(owner: string, key: string, names: readonly string[]): Promise<ResolvedAddress[]> {
    try {
      return await this.slots.use(owner, () => this.answered(key) ?? this.ask(key, names));
    } catch (error) {
      throw error instanceof NoSlotError ? notKnown(error.message) : error;
    }
  }

  /** What is known or under way. */
  private answered(key: string): Promise<ResolvedAddress[]> | undefined {
    const known = this.known.get(key);
    if (!known || known.until <= this.now()) return this.asking.get(key);
    return 'error' in known.outcome ? Promise.reject(known.outcome.error) : Promise.resolve(known.outcome.addresses);
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
      this.remember(key, { addresses }, Math.min(TTL_MS_MAX, Math.max(TTL_MS_MIN, ttlSeconds * 1_000)));
      return addresses;
    } catch (cause) {
      const error = isEgressError(cause) ? cause : notKnown(String(cause));
      this.remember(key, { error }, error.errno === 'ENOTFOUND' ? NOT_FOUND_MS : FAILED_MS);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** A name that could not be asked for is no reason to give up the others; it does mean that nothing is known. */
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

  /** The name that was learnt first is forgotten first. */
  private remember(key: string, outcome: Known['outcome'], ms: number): void {
    this.known.delete(key);
    this.known.set(key, { until: this.now() + ms, outcome });
    for (const oldest of this.known.keys()) {
      if (this.known.size <= NAMES_MAX) break;
      this.known.delete(oldest);
    }
  }
}

/**
 * Reads the form of `EGRESS_NAME_SERVERS`: `10.0.0.53, [fd00::53]:5353`. An empty text means those of the system.
 * Throws a sentence that names the first bad entry.
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
