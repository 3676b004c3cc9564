import { AbstractConnector, Redis, ReplyError } from 'ioredis';
import type { Outbound } from '../kind.js';
import { parseAddress, type RedisAddress, type RedisSettings } from './redis.settings.js';

const CONNECT_TIMEOUT_MS = 10_000;
const COMMAND_TIMEOUT_MS = 10_000;
/** A key that moves more often than this while it is asked for: the cluster is not in order. */
const REDIRECTS_MAX = 5;

/**
 * The servers that hold the keys. Redirections of a cluster are followed here, because ioredis' own cluster client opens
 * a connection for its subscriptions that no connector of ours sees: every connection has to pass the guard.
 */
export class RedisNodes {
  private readonly nodes = new Map<string, Promise<Redis>>();

  constructor(
    private readonly settings: RedisSettings,
    private readonly outbound: Outbound,
  ) {}

  /** Runs a command where its key is. */
  async run(command: (node: Redis) => Promise<unknown>): Promise<void> {
    let node = await this.entry();
    let isAsking = false;
    for (let redirects = 0; ; redirects += 1) {
      try {
        // Written together, so that nothing comes between them.
        await inTime(Promise.all([isAsking && node.asking(), command(node)]));
        return;
      } catch (error) {
        const redirect = redirectOf(error);
        if (!redirect || redirects === REDIRECTS_MAX) throw error;
        isAsking = redirect.isAsk;
        const { host, port } = parseAddress(redirect.address.replace(/^:/, `${node.options.host}:`));
        node = await this.connected({ host, port });
      }
    }
  }

  async close(): Promise<void> {
    for (const node of await Promise.allSettled(this.nodes.values())) {
      // One that was lost has nothing to end, and would wait for its end.
      if (node.status === 'fulfilled' && node.value.status !== 'end') node.value.disconnect();
    }
  }

  /** The first of the configured servers that can be reached. */
  private async entry(): Promise<Redis> {
    const errors: unknown[] = [];
    for (const address of this.settings.addresses) {
      try {
        return await this.connected(address);
      } catch (error) {
        errors.push(error);
      }
    }
    throw errors[0];
  }

  private connected({ host, port }: RedisAddress): Promise<Redis> {
    const name = `${host} ${port}`;
    const known = this.nodes.get(name);
    if (known) return known;
    const node = this.open({ host, port });
    this.nodes.set(name, node);
    // One that could not be opened is tried again when it is asked for again.
    node.catch(() => this.nodes.delete(name));
    return node;
  }

  private async open({ host, port }: RedisAddress): Promise<Redis> {
    const { tls, password, database } = this.settings;
    const open = () => this.outbound.connect({ host, port, tls, timeoutMs: CONNECT_TIMEOUT_MS });
    const node = new Redis({
      host,
      port,
      lazyConnect: true,
      retryStrategy: null,
      maxRetriesPerRequest: 0,
      enableReadyCheck: false,
      disableClientInfo: true,
      Connector: guardedConnector(open),
    });
    // Whatever goes wrong rejects the command that it concerns; without a listener it would be printed as well.
    node.on('error', () => undefined);
    try {
      await node.connect();
      if (password !== '') await inTime(node.auth(password));
      if (database !== 0) await inTime(node.select(database));
      return node;
    } catch (error) {
      node.disconnect();
      throw error;
    }
  }
}

/** The library's own time-out of commands outlives commands that fail. */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('Redis did not answer in time')), COMMAND_TIMEOUT_MS);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

function guardedConnector(open: () => ReturnType<Outbound['connect']>) {
  return class extends AbstractConnector {
    constructor() {
      super(CONNECT_TIMEOUT_MS);
    }

    override async connect() {
      this.connecting = true;
      this.stream = await open();
      return this.stream;
    }
  };
}

/** `MOVED 3999 10.0.0.2:6381` and `ASK …`; a server that does not know its own name leaves the host out. */
function redirectOf(error: unknown): { address: string; isAsk: boolean } | undefined {
  const [, word, address] = /^(MOVED|ASK) \d+ (\S+)$/.exec(replyErrorOf(error) ?? '') ?? [];
  return address === undefined ? undefined : { address, isAsk: word === 'ASK' };
}

/** The first word of what the server said is its code; the rest may hold a key. */
export const replyCodeOf = (message: string): string => /^[A-Z]{1,32}/.exec(message)?.[0] ?? 'ERR';

/** What the server said, when it was the server that refused. */
export const replyErrorOf = (error: unknown): string | undefined =>
  error instanceof Error && error instanceof ReplyError ? error.message : undefined;
