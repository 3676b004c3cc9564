import { natsPermissions } from './nats-users.js';

export interface NatsConfigOptions {
  port: number;
  storeDir: string;
  /** Password of the unrestricted user, for the operator and tests. */
  password: string;
  /** Password of each user in `natsPermissions`. */
  userPasswords: Readonly<Record<string, string>>;
  /** How often JetStream syncs writes to disk: a duration such as `2m`, or `always` (server 2.10 and later). */
  syncInterval?: string;
  /** Port of the server's HTTP monitor. No monitor if absent. */
  monitorPort?: number;
}

export const NATS_USER = 'weir';

/** The largest message. Equals the server's default, but stated because the contracts depend on it. */
const MAX_PAYLOAD_BYTES = 1_048_576;

/** Configuration file of the NATS server. Its syntax accepts JSON values, so JSON quotes every string. */
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
