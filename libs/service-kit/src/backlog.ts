import type { ConsumerLag } from '@weir/messaging';
import type { Metrics } from './metrics.js';

/** The messages that wait for the durable consumers of this process, as a metric and for whoever calls the roll. */
export class Backlog {
  private lag: (() => Promise<ConsumerLag[]>) | undefined;

  constructor(private readonly metrics: Metrics) {}

  /** Registers a gauge that is measured on each scrape. Reports nothing while the broker is away. */
  observe(lag: () => Promise<ConsumerLag[]>): void {
    this.lag = lag;
    this.metrics.gauge({
      name: 'weir_consumer_messages',
      help: 'Messages that wait for a durable consumer of this process (pending), or that it is handling (ack_pending)',
      labelNames: ['stream', 'consumer', 'state'],
      async collect() {
        const consumers = await lag().catch(() => []);
        this.reset();
        for (const { stream, consumer, pending, ackPending } of consumers) {
          this.set({ stream, consumer, state: 'pending' }, pending);
          this.set({ stream, consumer, state: 'ack_pending' }, ackPending);
        }
      },
    });
  }

  /** How many messages wait, over all consumers. Undefined if this process has none, or if the broker does not tell. */
  async waiting(): Promise<number | undefined> {
    const consumers = await this.lag?.().catch(() => undefined);
    return consumers?.reduce((sum, { pending }) => sum + pending, 0);
  }
}
