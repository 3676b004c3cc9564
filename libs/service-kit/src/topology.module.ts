import type { NatsConnection } from '@nats-io/transport-node';
import { type DynamicModule, Logger, Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { NATS, TopologyWatch, type TopologyWatchOptions } from '@weir/messaging';
import { Health } from './health.js';
import { Metrics } from './metrics.js';

/**
 * Compares the streams and consumers of a process with the broker. Makes the process unready without them, and reports missing and
 * recreated ones as metrics. What the importing module provides starts after this and stops before it.
 */
@Module({})
export class TopologyModule implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    private readonly watch: TopologyWatch,
    health: Health,
    metrics: Metrics,
  ) {
    health.register('topology', () => watch.reason);
    measure(watch, metrics);
  }

  static register(options: Omit<TopologyWatchOptions, 'nats' | 'log'>): DynamicModule {
    const useFactory = (nats: NatsConnection) =>
      new TopologyWatch({ nats, log: new Logger(TopologyWatch.name), ...options });
    return {
      module: TopologyModule,
      providers: [{ provide: TopologyWatch, inject: [NATS], useFactory }],
      exports: [TopologyWatch],
    };
  }

  onApplicationBootstrap(): void {
    this.watch.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.watch.stop();
  }
}

function measure(watch: TopologyWatch, metrics: Metrics): void {
  metrics.gauge({
    name: 'weir_topology_faults',
    help: 'Streams and consumers of this process that are missing or changed at the broker',
    labelNames: ['problem'],
    collect() {
      const { missing, changed } = watch.figures;
      this.set({ problem: 'missing' }, missing);
      this.set({ problem: 'changed' }, changed);
    },
  });
  metrics.gauge({
    name: 'weir_stream_fill_ratio',
    help: 'Bytes in a stream of this process as a share of its limit. At 1, the stream takes nothing more',
    labelNames: ['stream'],
    async collect() {
      const fill = await watch.fill().catch(() => []);
      this.reset();
      for (const { stream, bytes, bytesMax } of fill) this.set({ stream }, bytes / bytesMax);
    },
  });
  metrics.counter({
    name: 'weir_topology_consumers_made_total',
    help: 'Missing consumers that this process recreated. Events of the time without them may be lost',
    collect() {
      this.reset();
      this.inc(watch.figures.made);
    },
  });
}
