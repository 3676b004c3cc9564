import { DataSource, type EntitySchema, type MixedList } from 'typeorm';
import { checkDurability, type Durability } from './durability.js';
import { TracedClient } from './traced-client.js';
import { ANSWER_TIMEOUT_MS, STATEMENT_TIMEOUT_MS } from './watched-client.js';

/** Schemas of the one database, one a service; each has a role of its own that sees no other. */
export type ServiceSchema = 'gateway' | 'registry' | 'regulation' | 'runner' | 'schemas';

type Classes = (new () => object)[];

export interface DatabaseOptions {
  schema: ServiceSchema;
  url: string;
  poolMax?: number;
  /** All migrations of the service; a process refuses to start behind them. */
  migrations: Classes;
  entities?: MixedList<(new () => object) | EntitySchema>;
  /** How long a query may wait for a silent server; shorter in tests. */
  answerTimeoutMs?: number;
  /** What is promised of the server; a process refuses to start where that is not so. `single` by default. */
  durability?: Durability;
}

/** Waiting for a free connection counts against it, too. A machine that stalls for seconds comes back; callers wait 20 s at most. */
const CONNECT_TIMEOUT_MS = 10_000;
/** A connection that nobody uses is asked so often whether its server is still there. */
const KEEP_ALIVE_MS = 10_000;

/** `search_path` is set on the connection, because TypeORM's `schema` does not reach raw SQL. */
export function dataSourceFor(options: DatabaseOptions): DataSource {
  const { schema, url, poolMax = 10, migrations, entities = [], answerTimeoutMs = ANSWER_TIMEOUT_MS } = options;
  return new DataSource({
    type: 'postgres',
    url,
    schema,
    synchronize: false,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    extra: {
      options: `-c search_path=${schema}`,
      max: poolMax,
      Client: TracedClient,
      answerTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    },
    entities: entities as never,
    migrations: migrations as never,
  });
}

const PATIENCE_MS = 20_000;
const RETRY_MS = 250;

/**
 * Connects, waiting for a database that is still starting; then makes sure that the schema is not behind this code, and that
 * commits are as durable as was promised.
 */
export async function openDataSource(options: DatabaseOptions): Promise<DataSource> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const source = dataSourceFor(options);
    try {
      await source.initialize();
      if (await source.showMigrations())
        throw new Error(`schema ${options.schema} is behind: run its migrations first`);
      await checkDurability(source, options.durability ?? 'single');
      return source;
    } catch (error) {
      if (source.isInitialized) await source.destroy();
      if (Date.now() > end) throw error;
      await new Promise((done) => setTimeout(done, RETRY_MS));
    }
  }
}
