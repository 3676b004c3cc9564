import type { ConsumerLag } from '@weir/messaging';
import type { Metrics } from './metrics.js';

/** Registers a gauge that is measured on each scrape. Reports nothing while the broker is away. */
export function observeLag(metrics: Metrics, lag: () => Promise<ConsumerLag[]>): void {
  metrics.gauge({
    name: 'weir_consumer_messages',
    help: 'Messages that wait for a durable consumer of this process (pending), or that it has in hand (ack_pending)',
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
