import type { NatsConnection } from '@nats-io/transport-node';
import { within } from './deadline.js';

/** The broker is nearby, so no answer within this time means that it is away, even if this machine is busy. */
const FLUSH_TIMEOUT_MS = 3_000;

/** Resolves when the broker has read everything that was sent before. Rejects when the broker does not confirm in time. */
export const flushed = (nats: NatsConnection): Promise<void> => within(FLUSH_TIMEOUT_MS, 'the broker', nats.flush());

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
