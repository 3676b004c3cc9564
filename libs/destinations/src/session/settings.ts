import { AppError, type JsonObject } from '@weir/contracts';
import type { OutboundConnection } from '../kind.js';

export interface HostPort {
  host: string;
  port: number;
}

/** `''` if the value is not a text. */
export const textOf = (config: JsonObject, key: string): string => {
  const value = config[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
};

/** Throws `AppError('invalid')` with the key. */
export function requiredText(config: JsonObject, key: string): string {
  const text = textOf(config, key);
  if (text === '') throw new AppError('invalid', `${key} is required in the configuration`);
  return text;
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

/** Reads the keys that kinds share: `caCertificate`, `skipVerify`. */
export function tlsOf(config: JsonObject, isOn: boolean): NonNullable<OutboundConnection['tls']> {
  const ca = textOf(config, 'caCertificate');
  return isOn && { skipVerify: config['skipVerify'] === true, ...(ca !== '' && { ca }) };
}

/** Weir opens no tunnels, so a configuration that needs one would reach the wrong host. */
export function refuseSsh(config: JsonObject): void {
  if (config['useSSH'] === true) throw new AppError('invalid', 'useSSH is not supported');
}
