import {
  type Authenticator,
  credsAuthenticator,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node';
import type { JsonObject } from '@weir/contracts';
import type { OutboundConnection } from '../kind.js';
import { type HostPort, hostPorts, textOf, tlsOf } from '../session/settings.js';

const DEFAULT_PORT = 4_222;

export interface NatsSettings {
  servers: HostPort[];
  tls: NonNullable<OutboundConnection['tls']>;
  authenticators: Authenticator[];
  jetStream: boolean;
}

/** Pure. Throws `AppError('invalid')` with the invalid key. */
export function natsSettings(config: JsonObject): NatsSettings {
  return {
    servers: hostPorts(config, 'servers', DEFAULT_PORT),
    tls: tlsOf(config, config['tls'] === true),
    authenticators: authenticatorsOf(config),
    jetStream: config['jetStream'] !== false,
  };
}

function authenticatorsOf(config: JsonObject): Authenticator[] {
  const [user, password, token] = [textOf(config, 'username'), textOf(config, 'password'), textOf(config, 'token')];
  const credentials = textOf(config, 'credentials');
  return [
    ...(user === '' ? [] : [usernamePasswordAuthenticator(user, password)]),
    ...(token === '' ? [] : [tokenAuthenticator(token)]),
    ...(credentials === '' ? [] : [credsAuthenticator(new TextEncoder().encode(credentials))]),
  ];
}
