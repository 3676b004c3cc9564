import { promises as dns, type RecordWithTtl } from 'node:dns';
import { EgressError } from './errors.js';
import type { ResolvedAddress } from './guard.js';

/** Limit for one lookup with all name servers and retries. */
export const LOOKUP_TIMEOUT_MS = 5_000;
/** Timeout before a retry. Short, because a lost datagram costs little. */
const TRY_TIMEOUT_MS = 1_000;
const TRIES = 3;
/** How long to wait for the other family after one has answered. Some name servers never answer for IPv6 (RFC 8305). */
const OTHER_FAMILY_MS = 500;
/** More addresses than a connection tries. A response may hold thousands. */
const ADDRESSES_MAX = 32;

export interface Answer {
  addresses: ResolvedAddress[];
  /** Lifetime of the record that expires first. */
  ttlSeconds: number;
}

/** The name servers' answer about one IP family. */
type FamilyAnswer = { records: RecordWithTtl[] } | { errno: string };

const NOT_FOUND = ['ENOTFOUND', 'ENODATA'];

/**
 * Asks the name servers for both families with c-ares. It uses sockets of this thread, so a silent name server blocks nothing
 * else. `getaddrinfo` would hold one of the few pool threads while it waits. Throws {@link EgressError} `dns` with `ENOTFOUND` if
 * the name does not exist, or `EAI_AGAIN` if that is unknown.
 */
export async function queryName(name: string, { servers, signal }: QueryOptions): Promise<Answer> {
  // one per lookup, so that it can be cancelled alone, uses its own port and rereads the system's servers
  const resolver = new dns.Resolver({ timeout: TRY_TIMEOUT_MS, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel);
  let patience: NodeJS.Timeout | undefined;
  const familyAnswer = async (asked: Promise<RecordWithTtl[]>): Promise<FamilyAnswer> => {
    try {
      const records = await asked;
      if (records.length > 0) patience ??= setTimeout(cancel, OTHER_FAMILY_MS);
      return { records };
    } catch (error) {
      return { errno: (error as NodeJS.ErrnoException).code ?? '' };
    }
  };
  try {
    signal.throwIfAborted();
    const [v4, v6] = await Promise.all([
      familyAnswer(resolver.resolve4(name, { ttl: true })),
      familyAnswer(resolver.resolve6(name, { ttl: true })),
    ]);
    return answerOf(v4, v6);
  } catch (error) {
    throw signal.aborted ? notKnown('ETIMEOUT') : error;
  } finally {
    clearTimeout(patience);
    signal.removeEventListener('abort', cancel);
  }
}

interface QueryOptions {
  /** `address` or `address:port`. Empty means those of the system. */
  servers: readonly string[];
  signal: AbortSignal;
}

function answerOf(v4: FamilyAnswer, v6: FamilyAnswer): Answer {
  const records = [
    ...recordsOf(v4).map((record) => ({ ...record, family: 4 as const })),
    ...recordsOf(v6).map((record) => ({ ...record, family: 6 as const })),
  ].slice(0, ADDRESSES_MAX);
  if (records.length > 0) {
    const addresses = records.map(({ address, family }) => ({ address, family }));
    return { addresses, ttlSeconds: Math.min(...records.map(({ ttl }) => ttl)) };
  }
  const failure = [v4, v6].find((answer) => 'errno' in answer && !NOT_FOUND.includes(answer.errno));
  throw failure && 'errno' in failure ? notKnown(failure.errno) : notFound();
}

const recordsOf = (answer: FamilyAnswer) => ('records' in answer ? answer.records : []);

export const notFound = () => new EgressError('dns', 'The host name was not found', 'ENOTFOUND');
export const notKnown = (cause: string) =>
  new EgressError('dns', 'The host name could not be looked up', 'EAI_AGAIN', { cause });
