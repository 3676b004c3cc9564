import { AppError, type JsonObject } from '@weir/contracts';
import type { SASLOptions } from 'kafkajs';
import type { OutboundConnection } from '../kind.js';
import { hostPorts, refuseSsh, requiredText, textOf, tlsOf } from '../session/settings.js';

const DEFAULT_PORT = 9_092;

export interface KafkaSettings {
  /** `host:port` of the first brokers. They name the others. */
  brokers: string[];
  tls: NonNullable<OutboundConnection['tls']>;
  sasl: SASLOptions | undefined;
}

/** Pure. Throws `AppError('invalid')` with the invalid key. */
export function kafkaSettings(config: JsonObject): KafkaSettings {
  refuseSsh(config);
  if (config['convertToAvro'] === true) throw new AppError('invalid', 'convertToAvro is not supported');
  const port = Number(textOf(config, 'port') || DEFAULT_PORT);
  return {
    brokers: hostPorts(config, 'hostName', port).map((broker) =>
      broker.host.includes(':') ? `[${broker.host}]:${broker.port}` : `${broker.host}:${broker.port}`,
    ),
    tls: tlsOf(config, config['sslEnabled'] === true),
    sasl: config['useSASL'] === true ? saslOf(config) : undefined,
  };
}

function saslOf(config: JsonObject): SASLOptions {
  const login = { username: requiredText(config, 'username'), password: requiredText(config, 'password') };
  const type = textOf(config, 'saslType') || 'plain';
  if (type === 'plain') return { mechanism: 'plain', ...login };
  if (type === 'sha256') return { mechanism: 'scram-sha-256', ...login };
  if (type === 'sha512') return { mechanism: 'scram-sha-512', ...login };
  throw new AppError('invalid', 'saslType must be plain, sha256 or sha512');
}
