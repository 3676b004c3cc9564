import { promises as dns, type RecordWithTtl } from 'node:dns';
import { EgressError } from './errors.js';
import type { ResolvedAddress } from './guard.js';

/** One look-up, every name server and repetition included. Longer silence is an answer as well. */
export const LOOKUP_TIMEOUT_MS = 5_000;
/** Before a question is asked again: a lost datagram costs little. */
const TRY_TIMEOUT_MS = 1_000;
const TRIES = 3;
/** When one family has answered, the other one may take so long: some name servers never answer for IPv6 (RFC 8305). */
const OTHER_FAMILY_MS = 500;
/** More addresses than a connection tries; an answer may hold thousands. */
const ADDRESSES_MAX = 32;

export interface Answer {
  addresses: ResolvedAddress[];
  /** Of the record that is forgotten first. */
  ttlSeconds: number;
}

type Part = { records: RecordWithTtl[] } | { errno: string };

const NOT_FOUND = ['ENOTFOUND', 'ENODATA'];

/**
 * Asks the name servers for both families, by c-ares: on sockets of this thread, so that a silent name server holds up
 * nothing else. `getaddrinfo` holds one of the few threads of the process for as long as it waits. Throws
 * {@link EgressError} `dns`: `ENOTFOUND` when there is no such name, `EAI_AGAIN` when it is not known.
 */
export async function queryName(name: string, { servers, signal }: QueryOptions): Promise<Answer> {
  // one for each look-up: it can be cancelled alone, asks from a port of its own and reads the system's servers anew
  const resolver = new dns.Resolver({ timeout: TRY_TIMEOUT_MS, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel);
  let patience: NodeJS.Timeout | undefined;
  const part = async (asked: Promise<RecordWithTtl[]>): Promise<Part> => {
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
      part(resolver.resolve4(name, { ttl: true })),
      part(resolver.resolve6(name, { ttl: true })),
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
  /** `address` or `address:port`; those of the system when there are none. */
  servers: readonly string[];
  signal: AbortSignal;
}

function answerOf(v4: Part, v6: Part): Answer {
  const records = [
    ...recordsOf(v4).map((record) => ({ ...record, family: 4 as const })),
    ...recordsOf(v6).map((record) => ({ ...record, family: 6 as const })),
  ].slice(0, ADDRESSES_MAX);
  if (records.length > 0) {
    const addresses = records.map(({ address, family }) => ({ address, family }));
    return { addresses, ttlSeconds: Math.min(...records.map(({ ttl }) => ttl)) };
  }
  const failure = [v4, v6].find((part) => 'errno' in part && !NOT_FOUND.includes(part.errno));
  throw failure && 'errno' in failure ? notKnown(failure.errno) : notFound();
}

const recordsOf = (part: Part) => ('records' in part ? part.records : []);

export const notFound = () => new EgressError('dns', 'The host name was not found', 'ENOTFOUND');
export const notKnown = (cause: string) =>
  new EgressError('dns', 'The host name could not be looked up', 'EAI_AGAIN', { cause });
