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
  /** Makes it one server of a cluster. */
  cluster?: ClusterMember;
}

/** A server's place in a cluster on this machine. */
export interface ClusterMember {
  /** Unique in the cluster. Streams name their leader by it. */
  serverName: string;
  /** Port for the other servers. */
  port: number;
  /** Ports at which it finds all servers. */
  peers: readonly number[];
  /** Tells neither clients nor servers about others, so that they use no way but the given ones. */
  isSecretive?: boolean;
}

export const NATS_USER = 'weir';

/** The largest message. Equals the server's default, but stated because the contracts depend on it. */
const MAX_PAYLOAD_BYTES = 1_048_576;

/** Other servers try the address that a server advertises. Nothing listens here. */
const NOWHERE = '127.0.0.1:1';

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
    ...clusterLines(options.cluster),
    ...(options.monitorPort ? [`http: "127.0.0.1:${options.monitorPort}"`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function clusterLines(member: ClusterMember | undefined): string[] {
  if (!member) return [];
  const routes = member.peers.map((port) => `nats://127.0.0.1:${port}`);
  const secrets = member.isSecretive && { no_advertise: true, advertise: NOWHERE };
  const cluster = { name: 'weir', listen: `127.0.0.1:${member.port}`, routes, ...secrets };
  return [`server_name: ${JSON.stringify(member.serverName)}`, `cluster: ${JSON.stringify(cluster)}`];
}
