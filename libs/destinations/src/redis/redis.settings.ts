import { AppError, type JsonObject } from '@weir/contracts';
import type { OutboundConnection } from '../kind.js';

const DEFAULT_PORT = 6_379;

export interface RedisAddress {
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
