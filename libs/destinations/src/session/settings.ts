import { AppError, type JsonObject } from '@weir/contracts';
import type { OutboundConnection } from '../kind.js';

export interface HostPort {
  host: string;
  port: number;
}

/** `''` for what is no text. */
export const textOf = (config: JsonObject, key: string): string => {
  const value = config[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
};

/** Throws `AppError('invalid')` naming the key. */
export function requiredText(config: JsonObject, key: string): string {
  const text = textOf(config, key);
  if (text === '') throw new AppError('invalid', `${key} is required in the configuration`);
  return text;
}

/** `host`, `host:port`, `[v6]:port`; several by comma. Throws `AppError('invalid')` naming the key. */
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

/** The keys that kinds share: `caCertificate`, `skipVerify`. */
export function tlsOf(config: JsonObject, isOn: boolean): NonNullable<OutboundConnection['tls']> {
  const ca = textOf(config, 'caCertificate');
  return isOn && { skipVerify: config['skipVerify'] === true, ...(ca !== '' && { ca }) };
}

/** Weir opens no tunnels: a configuration that asks for one would not reach what it means. */
export function refuseSsh(config: JsonObject): void {
  if (config['useSSH'] === true) throw new AppError('invalid', 'useSSH is not supported');
}
