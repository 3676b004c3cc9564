import {
  AuthorizationError,
  type ConnectionOptions,
  connect,
  createInbox,
  type NatsConnection,
} from '@nats-io/transport-node';
import { serverUrls } from '@weir/contracts';
import { within } from './concurrency.js';

/** Inject token of the process's only NATS connection. */
export const NATS = Symbol('NATS');

/** Delay between attempts to reconnect. A restart of the broker takes about a second. */
const RECONNECT_WAIT_MS = 250;

/**
 * Connects and keeps reconnecting without limit, also when the broker is away at the start. `urls` may name several servers of one
 * cluster, separated by commas. The first one holds the credentials. Rejects if the broker refuses them at the start.
 */
export async function connectNats(urls: string, name: string): Promise<NatsConnection> {
  for (;;) {
    try {
      const nats = await connect(natsOptions(urls, name));
      // The client gives up after two refusals, even a week apart.
      Object.assign(optionsOf(nats), { ignoreAuthErrorAbort: true });
      return nats;
    } catch (error) {
      if (!isLate(error)) throw error;
    }
  }
}

/** Whether a busy broker refused credentials because they came late. They may be right. */
const isLate = (error: unknown) => error instanceof AuthorizationError && /timeout/i.test(error.message);

/** The options that the client goes by, which its type does not show. */
const optionsOf = (nats: NatsConnection) => (nats as unknown as { options: ConnectionOptions }).options;

function natsOptions(urls: string, name: string): ConnectionOptions {
  const servers = serverUrls(urls).map((url) => new URL(url));
  const { protocol, username, password } = servers[0] as URL;
  return {
    servers: servers.map(({ hostname, port }) => `${hostname}:${port || '4222'}`),
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

/** A new subject for answers. Each user of the broker may read only below its own prefix. */
export const newInbox = (nats: NatsConnection): string => createInbox(optionsOf(nats).inboxPrefix);

/** The broker is nearby, so no answer within this time means that it is away, even if this machine is busy. */
const FLUSH_TIMEOUT_MS = 3_000;

/** Resolves when the broker has read everything that was sent before. Rejects when the broker does not confirm in time. */
export const flushed = (nats: NatsConnection): Promise<void> => within(FLUSH_TIMEOUT_MS, 'the broker', nats.flush());

/** The callback of a subscription that takes messages only. Without permission, it gets an error and no message. */
export const onMessage =
  <Message>(take: (message: Message) => void) =>
  (error: Error | null, message: Message): void => {
    if (!error) take(message);
  };

/** Watches the connection to the broker. Answers that were still expected are lost when it breaks. */
export class BrokerLink {
  private readonly waiting = new Set<(reason: Error) => void>();
  private up = true;

  constructor(nats: NatsConnection) {
    void this.follow(nats);
  }

  /**
   * Returns the outcome of `ask`. Rejects when the connection breaks, or immediately while it is down. Otherwise a request would
   * wait until its deadline for an answer that cannot arrive.
   */
  whileUp<T>(ask: () => Promise<T>): Promise<T> {
    return new Promise((done, fail) => {
      if (!this.up) {
        fail(new Error('the broker is away'));
        return;
      }
      this.waiting.add(fail);
      ask()
        .finally(() => this.waiting.delete(fail))
        .then(done, fail);
    });
  }

  private async follow(nats: NatsConnection): Promise<void> {
    for await (const { type } of nats.status()) {
      if (type === 'reconnect') this.up = true;
      if (type === 'disconnect') this.lose();
    }
    this.lose();
  }

  private lose(): void {
    this.up = false;
    for (const fail of this.waiting) fail(new Error('the connection to the broker broke'));
    this.waiting.clear();
  }
}
