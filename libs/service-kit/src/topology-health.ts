import type { TopologyWatch } from '@weir/messaging';
import type { Health } from './health.js';
import type { Metrics } from './metrics.js';

/** Makes a process unready without the streams and consumers that it needs, and reports missing and recreated ones as metrics. */
export function observeTopology(watch: TopologyWatch, health: Health, metrics: Metrics): void {
  health.register('topology', () => watch.reason);
  metrics.gauge({
    name: 'weir_topology_faults',
    help: 'Streams and consumers that this process works with and that are missing, or changed, at the broker',
    labelNames: ['problem'],
    collect() {
      const { missing, changed } = watch.figures;
      this.set({ problem: 'missing' }, missing);
      this.set({ problem: 'changed' }, changed);
    },
  });
  metrics.counter({
    name: 'weir_topology_consumers_made_total',
    help: 'Consumers that were missing and that this process made anew; events of the time without them may be lost',
    collect() {
      this.reset();
      this.inc(watch.figures.made);
    },
  });
}
