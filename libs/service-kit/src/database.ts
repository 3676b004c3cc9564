import { DataSource, type EntitySchema, type MixedList } from 'typeorm';
import { checkDurability, type Durability } from './durability.js';
import { TracedClient } from './traced-client.js';
import { ANSWER_TIMEOUT_MS, STATEMENT_TIMEOUT_MS } from './watched-client.js';

/** Schemas of the database, one per service. The role of each service sees only its own schema. */
export type ServiceSchema = 'gateway' | 'registry' | 'regulation' | 'runner' | 'schemas';

type Classes = (new () => object)[];

export interface DatabaseOptions {
  schema: ServiceSchema;
  url: string;
  poolMax?: number;
  /** All migrations of the service. A process refuses to start if any is missing. */
  migrations: Classes;
  entities?: MixedList<(new () => object) | EntitySchema>;
  /** How long a query waits for a silent server. Tests use less. */
  answerTimeoutMs?: number;
  /**
   * The durability that the operator promises. A process refuses to start if the server does not provide it. Default: `single`.
   */
  durability?: Durability;
}

/**
 * Includes the wait for a free connection. A machine that stalls for seconds recovers in this time. Callers wait 20 s at most.
 */
const CONNECT_TIMEOUT_MS = 10_000;
/** How long a connection may idle before TCP keep-alive probes it. */
const KEEP_ALIVE_MS = 10_000;

/** Sets `search_path` on the connection, because TypeORM's `schema` does not apply to raw SQL. */
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
 * Connects, and waits for a database that is still starting. Then verifies that the schema has all migrations, and that commits
 * are as durable as promised.
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
