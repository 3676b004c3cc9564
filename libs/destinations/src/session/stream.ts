import { AppError, type JsonObject } from '@weir/contracts';
import { field } from '../config-fields.js';
import type { DeliveryResult, Payload, SessionItem } from '../kind.js';
import { configText, requiredText } from '../toolkit/config.js';
import { restPayload } from '../toolkit/request.js';

/** Keys that kinds with TLS share. {@link tlsOf} reads them. */
export const CA_CERTIFICATE = field({
  type: 'string',
  maxLength: 65_536,
  description: 'Trust this authority (PEM) instead of the public ones',
});
export const SKIP_VERIFY = field({ type: 'boolean', default: false, description: 'Accept any certificate' });

export interface HostPort {
  host: string;
  port: number;
}

/** Parses `host`, `host:port` or `[v6]:port`, separated by commas. Throws `AppError('invalid')` with the key. */
export function hostPorts(config: JsonObject, key: string, defaultPort: number): HostPort[] {
  return requiredText(config, key)
    .split(',')
    .map((address) => {
      const [, v6, plain, port] = /^(?:\[([\da-f:.]+)\]|([^\s:/[\]@]+))(?::(\d{1,5}))?$/i.exec(address.trim()) ?? [];
      const host = v6 ?? plain;
      if (host === undefined) throw new AppError('invalid', `${key} must be host:port`);
      return { host, port: Number(port ?? defaultPort) };
    });
}

/** How a connection is secured. False means not at all. */
export type Tls = false | { skipVerify: boolean; ca?: string };

/** Reads the keys that kinds share: `caCertificate`, `skipVerify`. */
export function tlsOf(config: JsonObject, isOn: boolean): Tls {
  const ca = configText(config, 'caCertificate');
  return isOn && { skipVerify: config['skipVerify'] === true, ...(ca !== '' && { ca }) };
}

/** Weir opens no tunnels, so a configuration that needs one would reach the wrong host. */
export function refuseSsh(config: JsonObject): void {
  if (config['useSSH'] === true) throw new AppError('invalid', 'useSSH is not supported');
}

export interface StreamPayload {
  /** Name of the kind, in place of `REST`. */
  type: string;
  /** The operation: `PRODUCE`, `PUBLISH`, `INSERT`. */
  method: string;
  /** The place in the destination: topic, subject, key, table. */
  endpoint: string;
  json: JsonObject;
  headers?: Record<string, string>;
  /** Items with the same one keep their order. */
  userId?: string | undefined;
}

/** An item for a kind that delivers through the data plane, in the common form of payloads. */
export const streamPayload = ({ type, json, ...more }: StreamPayload): Payload => ({
  ...restPayload({ ...more, body: { JSON: json } }),
  type,
});

/** The user of an event. Events with the same user stay in order. */
export function userOf({ userId, anonymousId }: JsonObject): string | undefined {
  const id = [userId, anonymousId].find((value) => typeof value === 'string' || typeof value === 'number');
  return id === undefined || id === '' ? undefined : String(id);
}

export const DELIVERED: DeliveryResult = { status: 200, response: '' };

/** A retry may help. */
export const later = (response: string): DeliveryResult => ({ status: 503, response });
/** A retry cannot help. */
export const never = (response: string): DeliveryResult => ({ status: 400, response });

const REASON_LENGTH_MAX = 300;

/** For errors of a client library about a connection or a login. They name hosts of the configuration and nothing of an event. */
export function unsent(where: string, error: unknown): DeliveryResult {
  const reason = error instanceof Error && error.message !== '' ? `: ${error.message.slice(0, REASON_LENGTH_MAX)}` : '';
  return later(`${where} could not be reached${reason}`);
}

/** The same result for every item of a call. */
export const allOf = (items: readonly SessionItem[], result: DeliveryResult): DeliveryResult[] =>
  items.map(() => result);
