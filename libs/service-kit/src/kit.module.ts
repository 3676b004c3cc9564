import type { NatsConnection } from '@nats-io/transport-node';
import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationShutdown,
  Optional,
  type Provider,
} from '@nestjs/common';
import type { ProcessName } from '@weir/contracts';
import { CALL_OBSERVER, connectNats, GroupPublisher, NATS, RpcClient, StreamPublisher } from '@weir/messaging';
import { DataSource } from 'typeorm';
import { CallMetrics } from './call-metrics.js';
import { type DatabaseOptions, openDataSource } from './database.js';
import { Health } from './health.js';
import { Metrics } from './metrics.js';
import { StallWatch } from './stall-watch.js';

export interface KitOptions {
  process: ProcessName;
  natsUrl: string;
  database?: DatabaseOptions;
}

/** The base of every process: one NATS connection, calls, streams, health, metrics, and its database if it owns one. */
@Module({})
export class KitModule implements OnApplicationShutdown {
  constructor(
    @Inject(NATS) private readonly nats: NatsConnection,
    private readonly stalls: StallWatch,
    @Optional() private readonly dataSource?: DataSource,
  ) {}

  static register({ process, natsUrl, database }: KitOptions): DynamicModule {
    const providers: Provider[] = [
      { provide: NATS, useFactory: () => connectNats(natsUrl, process) },
      { provide: Metrics, useFactory: () => new Metrics(process) },
      { provide: CALL_OBSERVER, inject: [Metrics], useFactory: (metrics: Metrics) => new CallMetrics(metrics) },
      {
        provide: Health,
        inject: [NATS, { token: DataSource, optional: true }],
        useFactory: (nats: NatsConnection, source?: DataSource) => healthOf(nats, source),
      },
      { provide: StallWatch, inject: [Metrics], useFactory: (metrics: Metrics) => new StallWatch(metrics) },
      RpcClient,
      StreamPublisher,
      GroupPublisher,
    ];
    if (database) providers.push({ provide: DataSource, useFactory: () => openDataSource(database) });
    return { module: KitModule, global: true, providers, exports: providers };
  }

  /** Runs last, after everything that uses the connections has stopped. */
  async onApplicationShutdown(): Promise<void> {
    this.stalls.stop();
    if (this.dataSource?.isInitialized) await this.dataSource.destroy();
    await this.nats.drain().catch(() => undefined);
  }
}

function healthOf(nats: NatsConnection, source: DataSource | undefined): Health {
  const health = new Health();
  health.register('broker', async () => {
    await nats.flush();
    return undefined;
  });
  if (source) {
    health.register('database', async () => {
      await source.query('SELECT 1');
      return undefined;
    });
  }
  return health;
}
