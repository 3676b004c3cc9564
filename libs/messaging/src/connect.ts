import { type ConnectionOptions, connect, type NatsConnection } from '@nats-io/transport-node';

/** Delay between attempts to reconnect. A restart of the broker takes about a second. */
const RECONNECT_WAIT_MS = 250;

/** Connects and keeps reconnecting without limit, also when the broker is away at the start. The URL holds the credentials. */
export function connectNats(url: string, name: string): Promise<NatsConnection> {
  return connect(natsOptions(url, name));
}

export function natsOptions(url: string, name: string): ConnectionOptions {
  const { protocol, hostname, port, username, password } = new URL(url);
  return {
    servers: `${hostname}:${port || '4222'}`,
    name,
    ...(username && {
      user: decodeURIComponent(username),
      pass: decodeURIComponent(password),
      // Permissions are granted per prefix, so one user cannot read the answers to another.
      inboxPrefix: `_INBOX_${decodeURIComponent(username)}`,
    }),
    ...(protocol === 'tls:' && { tls: {} }),
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_WAIT_MS,
    reconnectJitter: RECONNECT_WAIT_MS,
    waitOnFirstConnect: true,
    // Otherwise each request captures two stack traces in advance, which takes a sixth of the intake's time.
    noAsyncTraces: true,
    pingInterval: 10_000,
    maxPingOut: 2,
  };
}
