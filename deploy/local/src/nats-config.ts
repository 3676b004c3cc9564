import { natsPermissions } from './nats-users.js';

export interface NatsConfigOptions {
  port: number;
  storeDir: string;
  /** Of the user that may do everything: the operator's and the tests'. */
  password: string;
  /** Of each user that `natsPermissions` names. */
  userPasswords: Readonly<Record<string, string>>;
  /** How often JetStream forces its writes to disk: a duration such as `2m`, or `always` (server 2.10 and later). */
  syncInterval?: string;
  /** Port of the server's HTTP monitor; none when absent. */
  monitorPort?: number;
}

export const NATS_USER = 'weir';

/** The largest message; the server's default, stated because the contracts are made for it. */
const MAX_PAYLOAD_BYTES = 1_048_576;

/** Configuration file of the NATS server. Its syntax takes JSON values, so every string is quoted by JSON. */
export function natsConfig(options: NatsConfigOptions): string {
  const users = [
    { user: NATS_USER, password: options.password },
    ...Object.entries(natsPermissions()).map(([user, permissions]) => ({
      user,
      password: options.userPasswords[user],
      permissions: { ...permissions, allow_responses: true },
    })),
  ];
  const lines = [
    `listen: "127.0.0.1:${options.port}"`,
    `max_payload: ${MAX_PAYLOAD_BYTES}`,
    `authorization: ${JSON.stringify({ users })}`,
    'jetstream {',
    `  store_dir: ${JSON.stringify(options.storeDir)}`,
    ...(options.syncInterval ? [`  sync_interval: ${JSON.stringify(options.syncInterval)}`] : []),
    '}',
    ...(options.monitorPort ? [`http: "127.0.0.1:${options.monitorPort}"`] : []),
  ];
  return `${lines.join('\n')}\n`;
}
