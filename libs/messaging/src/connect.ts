import { type ConnectionOptions, connect, type NatsConnection } from '@nats-io/transport-node';

/** How often a lost broker is tried again; a restart of the broker takes about a second. */
const RECONNECT_WAIT_MS = 250;

/** Connects for good: a broker that is away, now or later, is waited for. Credentials come in the URL. */
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
      // Answers to one user are of no other user's business: permissions are given per prefix.
      inboxPrefix: `_INBOX_${decodeURIComponent(username)}`,
    }),
    ...(protocol === 'tls:' && { tls: {} }),
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_WAIT_MS,
    reconnectJitter: RECONNECT_WAIT_MS,
    waitOnFirstConnect: true,
    // Else each request captures two stack traces in advance: a sixth of the intake's time.
    noAsyncTraces: true,
    pingInterval: 10_000,
    maxPingOut: 2,
  };
}
