import { connect, type NatsConnection } from '@nats-io/transport-node';

/** Connects to the stack's broker. The client takes the parts of the URL separately. */
export function brokerOf(url: string): Promise<NatsConnection> {
  const { host, username, password } = new URL(url);
  return connect({ servers: host, user: decodeURIComponent(username), pass: decodeURIComponent(password) });
}
