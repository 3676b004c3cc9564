import { connect, type NatsConnection } from '@nats-io/transport-node';

/** The stack's broker; the client wants what the URL holds one by one. */
export function brokerOf(url: string): Promise<NatsConnection> {
  const { host, username, password } = new URL(url);
  return connect({ servers: host, user: decodeURIComponent(username), pass: decodeURIComponent(password) });
}
