export interface NatsConfigOptions {
  port: number;
  storeDir: string;
  password: string;
  sandboxPassword: string;
  /** How often JetStream forces its writes to disk: a duration such as `2m`, or `always` (server 2.10 and later). */
  syncInterval?: string;
  /** Port of the server's HTTP monitor; none when absent. */
  monitorPort?: number;
}

export const NATS_USER = 'weir';
export const NATS_SANDBOX_USER = 'sandbox';

/** What the process that supervises user code may do: answer its own calls, and ask for one fetch. Nothing else. */
const SANDBOX_PERMISSIONS = {
  subscribe: ['sandbox.>', 'ops.code-sandbox-main.health.v1', `_INBOX_${NATS_SANDBOX_USER}.>`],
  publish: ['runner.fetch.v1'],
};

/** The largest message; the server's default, stated because the contracts are made for it. */
const MAX_PAYLOAD_BYTES = 1_048_576;

/** Configuration file of the NATS server. Its syntax takes JSON values, so every string is quoted by JSON. */
export function natsConfig(options: NatsConfigOptions): string {
  const users = [
    { user: NATS_USER, password: options.password },
    {
      user: NATS_SANDBOX_USER,
      password: options.sandboxPassword,
      permissions: { ...SANDBOX_PERMISSIONS, allow_responses: true },
    },
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
