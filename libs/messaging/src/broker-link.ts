import type { NatsConnection } from '@nats-io/transport-node';
import { within } from './deadline.js';

/** The broker is on the next machine: without an answer in this time it is away, however busy this one is. */
const FLUSH_TIMEOUT_MS = 3_000;

/** Settles when the broker has read everything that was sent before; rejects when it does not say so in time. */
export const flushed = (nats: NatsConnection): Promise<void> => within(FLUSH_TIMEOUT_MS, 'the broker', nats.flush());

/** Told when the connection to the broker breaks: an answer that was still to come is lost with it. */
export class BrokerLink {
  private readonly waiting = new Set<(reason: Error) => void>();
  private up = true;

  constructor(nats: NatsConnection) {
    void this.follow(nats);
  }

  /**
   * The outcome of `ask`, or a rejection as soon as the connection breaks; at once while it is away. Without this a
   * question that meets the moment would wait until its deadline for an answer that nobody sends.
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
