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
import { CONFIG, type DatabaseConfig, type ProcessConfig } from './config.js';
import { type DatabaseOptions, openDataSource, type ServiceSchema } from './database.js';
import { DatabaseMetrics } from './database-metrics.js';
import { CHECK_TIMEOUT_MS, Health, type HealthCheck } from './health.js';
import { CallMetrics, Metrics } from './metrics.js';
import { Backlog, RollCall } from './roll-call.js';
import { Shared } from './shared.js';
import { Database } from './sql.js';
import { StallWatch } from './stall-watch.js';

/** `Config` is what `readConfig` of the app's `config.ts` gives. A process has a database if its configuration has one. */
export interface KitOptions<Config extends ProcessConfig = ProcessConfig> {
  process: ProcessName;
  config: Config & { readonly database?: DatabaseConfig };
  /** The service's own schema of the database. */
  schema?: Pick<DatabaseOptions, 'migrations' | 'entities'> & { name: ServiceSchema };
}

/**
 * The base of every process: its configuration under `CONFIG`, one NATS connection, calls, streams, health, metrics, and its
 * database if it owns one.
 */
@Module({})
export class KitModule implements OnApplicationShutdown {
  constructor(
    @Inject(NATS) private readonly nats: NatsConnection,
    private readonly stalls: StallWatch,
    @Optional() private readonly database?: Database,
  ) {}

  static register(options: KitOptions): DynamicModule {
    const { process, config } = options;
    const database = databaseOf(options);
    const providers: Provider[] = [
      { provide: CONFIG, useValue: config },
      { provide: NATS, useFactory: () => connectNats(config.natsUrl, process) },
      { provide: Metrics, useFactory: () => new Metrics(process) },
      { provide: CALL_OBSERVER, inject: [Metrics], useFactory: (metrics: Metrics) => new CallMetrics(metrics) },
      {
        provide: Health,
        inject: [NATS, { token: Database, optional: true }],
        useFactory: (nats: NatsConnection, source?: Database) => healthOf(nats, source),
      },
      { provide: Backlog, inject: [Metrics], useFactory: (metrics: Metrics) => new Backlog(metrics) },
      {
        provide: RollCall,
        inject: [NATS, Health, Backlog],
        useFactory: (nats: NatsConnection, health: Health, backlog: Backlog) =>
          new RollCall(process, nats, health, backlog),
      },
      { provide: StallWatch, inject: [Metrics], useFactory: (metrics: Metrics) => new StallWatch(metrics) },
      RpcClient,
      StreamPublisher,
      GroupPublisher,
    ];
    if (database) providers.push({ provide: Database, inject: [Metrics], useFactory: openMeasured(database) });
    return { module: KitModule, global: true, providers, exports: providers };
  }

  /** Runs last, after everything that uses the connections has stopped. */
  async onApplicationShutdown(): Promise<void> {
    this.stalls.stop();
    if (this.database?.isInitialized) await this.database.destroy();
    await this.nats.drain().catch(() => undefined);
  }
}

function databaseOf({ config, schema }: KitOptions): DatabaseOptions | undefined {
  if (!schema) return undefined;
  if (!config.database)
    throw new Error(`a process with the schema ${schema.name} needs \`database\` in its configuration`);
  const { name, migrations, entities = [] } = schema;
  return { schema: name, ...config.database, migrations, entities };
}

const openMeasured = (options: DatabaseOptions) => async (metrics: Metrics) => {
  const measured = new DatabaseMetrics(metrics);
  return measured.watch(await openDataSource({ ...options, onAnswer: measured.answered }));
};

function healthOf(nats: NatsConnection, source: Database | undefined): Health {
  const health = new Health();
  const proofOfBroker = shared(() => nats.flush());
  health.register('broker', proofOfBroker, 'broker');
  if (!source) return health;
  const proofOfDatabase = shared(() => source.prove());
  health.register('database', proofOfDatabase, 'database');
  return health;
}

/** Anybody may ask for the health of a gateway, so asking often must cost nothing. */
function shared(prove: () => Promise<unknown>): HealthCheck {
  const proof = new Shared(prove, CHECK_TIMEOUT_MS);
  return async () => {
    await proof.get();
    return undefined;
  };
}
