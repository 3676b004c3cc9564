import type { Socket } from 'node:net';
import { FairLimiter, NoSlotError } from '@weir/messaging';
import { LRUCache } from 'lru-cache';
import { Agent, type buildConnector, type Dispatcher } from 'undici';
import { readBounded } from './body.js';
import { EgressError, toEgressError } from './errors.js';
import { Guard, type GuardOptions, type Lookup, type Protocol } from './guard.js';
import { notKnown } from './name-query.js';
import { NameResolver } from './names.js';
import { checkedRequest, type EgressRequest, type EgressResponse } from './request.js';
import { openSocket, type TlsChoice } from './socket.js';
import { isInternalName, parseSocketTarget, type Target } from './target.js';

/** Concurrent requests per origin. More have to wait. Enough for a busy destination and harmless for a small one. */
const SOCKETS_PER_ORIGIN_MAX = 16;
/** Closes an idle socket after this time, even if the server offers more. */
const KEEP_ALIVE_MAX_MS = 30_000;
/** Limit for lookup and connect together. The request itself may take longer. */
const CONNECT_TIMEOUT_MS = 10_000;
/** A destination has one or a few names. Unanswered names delay only other lookups of the same client. */
const LOOKUP_LIMITS = { max: 8, ownerMax: 8, waitingMax: 256, waitMs: CONNECT_TIMEOUT_MS };
/** Owner of lookups for Weir's own services. */
const OWN = 'weir';

export interface EgressOptions extends GuardOptions {
  /** The owner of the client. A process shares its lookups evenly among owners. */
  owner?: string;
  /** Defaults to the resolver shared by all clients of the process. */
  names?: NameResolver;
  /** Sockets per origin. Default: {@link SOCKETS_PER_ORIGIN_MAX}. */
  socketsMax?: number;
  /** For tests. Defaults to `names`. */
  lookup?: Lookup;
}

/** One resolver per process, so that all clients share its cache. */
const NAMES = new NameResolver();

/**
 * Opens all outbound connections of Weir. They reach the public internet and ranges that the operator opened, and nothing else.
 */
export class Egress {
  private readonly guard: Guard;
  private readonly agent: Agent;
  private readonly underWay = new Set<Promise<EgressResponse>>();
  private closed = false;

  constructor({ names = NAMES, owner = '', lookup = lookupOf(names, owner), socketsMax, ...options }: EgressOptions) {
    this.guard = new Guard(options, lookup);
    this.agent = new Agent({
      connect: (options, callback) => this.open(options, callback),
      connections: socketsMax ?? SOCKETS_PER_ORIGIN_MAX,
      keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Throws only {@link EgressError}. */
  async request(request: EgressRequest): Promise<EgressResponse> {
    if (this.closed) throw new EgressError('closed', 'The client is closed');
    const answer = this.exchange(request);
    this.underWay.add(answer);
    return answer.finally(() => this.underWay.delete(answer));
  }

  /** Opens a socket for a protocol other than HTTP. The caller closes it. The deadline covers lookup, connect and TLS. */
  async connect(where: { host: string; port: number; tls?: boolean | TlsChoice; timeoutMs: number }): Promise<Socket> {
    const { timeoutMs, tls = false } = where;
    const target = parseSocketTarget(where.host, where.port, tls !== false);
    return this.dial(target, 'socket', { timeoutMs, ...(typeof tls === 'object' && { tls }) });
  }

  /** Accepts no more requests. Resolves when those in progress have ended. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.allSettled(this.underWay);
    if (!this.agent.destroyed) await this.agent.destroy();
  }

  private async exchange({ timeoutMs, maxResponseBytes, ...request }: EgressRequest): Promise<EgressResponse> {
    const options = checkedRequest(request);
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      // undici checks the signal only once a request has a connection, so a separate deadline covers the time before.
      return await within(timeoutMs, this.send({ ...options, signal }, maxResponseBytes));
    } catch (error) {
      throw signal.aborted ? tooSlow(timeoutMs, error) : toEgressError(error);
    }
  }

  private async send(options: Dispatcher.RequestOptions, maxBytes: number): Promise<EgressResponse> {
    const { statusCode, headers, body } = await this.agent.request(options);
    const joined = joinHeaders(headers);
    const answer = await readBounded(body, joined['content-encoding'] ?? '', maxBytes);
    return { status: statusCode, headers: joined, ...answer };
  }

  private open({ hostname, port, protocol }: buildConnector.Options, callback: buildConnector.Callback): void {
    const secure = protocol === 'https:';
    const target = { host: hostname, port: Number(port) || (secure ? 443 : 80), secure };
    this.dial(target, 'http', { timeoutMs: CONNECT_TIMEOUT_MS }).then(
      (socket) => callback(null, socket),
      (error) => callback(error, null),
    );
  }

  private async dial(target: Target, protocol: Protocol, { timeoutMs, tls }: DialOptions): Promise<Socket> {
    const end = Date.now() + timeoutMs;
    try {
      const addresses = await within(timeoutMs, this.guard.addressesFor(target, protocol));
      return await openSocket(target, addresses, Math.max(1, end - Date.now()), tls);
    } catch (error) {
      throw toEgressError(error);
    }
  }
}

interface DialOptions {
  timeoutMs: number;
  tls?: TlsChoice;
}

/** Limits lookups per client, and in total per owner. Search domains apply only to internal names. */
function lookupOf(names: NameResolver, owner: string): Lookup {
  const limiter = new FairLimiter(LOOKUP_LIMITS);
  return async (host, { isOwn }) => {
    if (isOwn) return names.lookup(host, { owner: OWN, search: true });
    const look = () => names.lookup(host, { owner, search: isInternalName(host) });
    return limiter.use(owner, look).catch((error: unknown) => {
      throw error instanceof NoSlotError ? notKnown(error.message) : error;
    });
  };
}

function joinHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]);
  return Object.fromEntries(entries);
}

const tooSlow = (timeoutMs: number, cause?: unknown) =>
  new EgressError('timeout', `No complete answer within ${timeoutMs} ms`, 'ETIMEDOUT', { cause });

async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow(timeoutMs)), timeoutMs).unref();
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Owners with separate connections. An idle client costs little, and its idle connections close by themselves. */
const OWNERS_MAX = 1_024;

/**
 * Gives each owner (a workspace or a destination) its own client, with its own limits for connections and lookups. An owner that
 * waits for unresponsive hosts cannot use up the limits of others.
 */
export class EgressByOwner {
  private readonly clients = new LRUCache<string, Egress>({ max: OWNERS_MAX });
  private closed = false;

  constructor(private readonly options: Omit<EgressOptions, 'owner'>) {}

  /**
   * Returns the owner's client. Do not keep it, because the least recently used client is dropped. A client that is dropped
   * finishes its requests, and its idle connections expire.
   */
  of(owner: string): Egress {
    const client = this.clients.get(owner) ?? new Egress({ ...this.options, owner });
    // Requests of a closed client fail with `closed`.
    if (this.closed) void client.close();
    else this.clients.set(owner, client);
    return client;
  }

  /** Accepts no more requests. Resolves when those in progress have ended. */
  async close(): Promise<void> {
    this.closed = true;
    const clients = [...this.clients.values()];
    this.clients.clear();
    await Promise.all(clients.map((client) => client.close()));
  }
}
