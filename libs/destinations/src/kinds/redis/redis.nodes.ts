import type { Socket } from 'node:net';
import { AppError, type JsonObject } from '@weir/contracts';
import { AbstractConnector, Redis, ReplyError } from 'ioredis';
import type { Outbound, OutboundConnection } from '../../kind.js';
import { GuardedConnector } from '../../session/connection.js';
import type { Check } from '../../session/shielded.js';

const DEFAULT_PORT = 6_379;

interface RedisAddress {
  host: string;
  port: number;
}

export interface RedisSettings {
  /** A single server, or the first servers of a cluster. */
  addresses: RedisAddress[];
  database: number;
  password: string;
  prefix: string;
  tls: NonNullable<OutboundConnection['tls']>;
}

/** Pure. Throws `AppError('invalid')` with the invalid key. */
export function redisSettings(config: JsonObject): RedisSettings {
  const database = Number(config['database'] || 0);
  if (!Number.isInteger(database) || database < 0) throw new AppError('invalid', 'database must be a number');
  if (config['useJSONModule'] === true) throw new AppError('invalid', 'useJSONModule is not supported');
  const ca = text(config['caCertificate']);
  return {
    addresses: text(config['address']).split(',').map(parseAddress),
    database: config['clusterMode'] === true ? 0 : database,
    password: text(config['password']),
    prefix: text(config['prefix']).trim(),
    tls: config['secure'] === true && { skipVerify: config['skipVerify'] === true, ...(ca !== '' && { ca }) },
  };
}

/** The key of a user. Writing and deleting use the same prefix. */
export function redisKey({ userId }: JsonObject, prefix: string): string {
  const key = `user:${String(userId)}`;
  return prefix === '' ? key : `${prefix}:${key}`;
}

/** `host`, `host:port`, `[v6]:port`. */
export function parseAddress(address: string): RedisAddress {
  const [, bracketed, plain, port] = /^(?:\[([\da-f:.]+)\]|([^\s:[\]]+))(?::(\d{1,5}))?$/i.exec(address.trim()) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined) throw new AppError('invalid', 'address must be host:port');
  return { host, port: Number(port ?? DEFAULT_PORT) };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const CONNECT_TIMEOUT_MS = 10_000;
const COMMAND_TIMEOUT_MS = 10_000;
/** A key that moves more often than this during one command means a broken cluster. */
const REDIRECTS_MAX = 5;

/**
 * Connections to the servers that hold the keys. Follows cluster redirections itself, because ioredis' cluster client opens a
 * subscription connection without our connector. Every connection must pass the guard.
 */
export class RedisNodes {
  private readonly nodes = new Map<string, Promise<Redis>>();
  private readonly line: GuardedConnector;

  constructor(
    private readonly settings: RedisSettings,
    outbound: Outbound,
  ) {
    this.line = new GuardedConnector(outbound);
  }

  /** Runs a command on the server that holds its key. */
  async run(command: (node: Redis) => Promise<unknown>): Promise<void> {
    let node = await this.entry();
    let isAsking = false;
    for (let redirects = 0; ; redirects += 1) {
      try {
        // Written together, so that no other command comes between them.
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

  /** Why a call failed, for an error that is no reply. Throws the error of the outbound client if that was the reason. */
  causeOf(error: unknown): unknown {
    return this.line.causeOf(error);
  }

  async close(): Promise<void> {
    this.line.cut();
    for (const node of await Promise.allSettled(this.nodes.values())) {
      // A lost connection needs no disconnect, and would wait forever for one.
      if (node.status === 'fulfilled' && node.value.status !== 'end') node.value.disconnect();
    }
  }

  /** Connects to the first reachable one of the configured servers. */
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
    // Forgets a failed connection, so that the next request tries again.
    node.catch(() => this.nodes.delete(name));
    return node;
  }

  private async open({ host, port }: RedisAddress): Promise<Redis> {
    const { tls, password, database } = this.settings;
    const open = () => this.line.connect({ host, port, tls }, lineCheck());
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
    // An error also rejects the command that it concerns. Without a listener it would also be printed.
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

/** The library's own command timeout keeps running after a command has failed. */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('Redis did not answer in time')), COMMAND_TIMEOUT_MS);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/**
 * Every command of Weir is answered with one line. For an array, the client library would make room for as many elements as a server
 * declares: 256 MiB for 11 bytes. A reply begins after a carriage return and whatever follows it, as the library reads.
 */
function lineCheck(): Check {
  let last = '\r\n';
  return (chunk) => {
    const text = last + chunk.toString('latin1');
    last = text.slice(-2);
    return /\r[\s\S][*$]/.test(text) ? new Error('the server sent more than a line') : undefined;
  };
}

function guardedConnector(open: () => Promise<Socket>) {
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

/** Parses `MOVED 3999 10.0.0.2:6381` and `ASK …`. A server that does not know its own name omits the host. */
function redirectOf(error: unknown): { address: string; isAsk: boolean } | undefined {
  const [, word, address] = /^(MOVED|ASK) \d+ (\S+)$/.exec(replyErrorOf(error) ?? '') ?? [];
  return address === undefined ? undefined : { address, isAsk: word === 'ASK' };
}

/** The first word of the server's reply is its code. The rest may contain a key. */
export const replyCodeOf = (message: string): string => /^[A-Z]{1,32}/.exec(message)?.[0] ?? 'ERR';

/** The error reply of the server. Undefined for other errors. */
export const replyErrorOf = (error: unknown): string | undefined =>
  error instanceof Error && error instanceof ReplyError ? error.message : undefined;
