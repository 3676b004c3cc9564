import { connectNats, ensureTopology, type TopologyOptions } from '@weir/messaging';
import type { EntitySchema, EntitySubscriberInterface, MixedList, TransactionStartEvent } from 'typeorm';
import { ANSWER_TIMEOUT_MS, STATEMENT_TIMEOUT_MS, TracedClient } from './database-client.js';
import { checkDurability, type Durability } from './durability.js';
import { driver } from './shared-pool.js';
import { Database } from './sql.js';

/** Schemas of the database, one per service. The role of each service sees only its own schema. */
export type ServiceSchema = 'gateway' | 'registry' | 'regulation' | 'runner' | 'delivery' | 'schemas';

type Classes = (new () => object)[];

export interface DatabaseOptions {
  schema: ServiceSchema;
  url: string;
  poolMax?: number;
  /** All migrations of the service. A process refuses to start if any is missing. */
  migrations: Classes;
  entities?: MixedList<(new () => object) | EntitySchema>;
  /** How long a query waits for a silent server. Tests use less. With 0 it waits as long as TCP keep-alive finds the server there. */
  answerTimeoutMs?: number;
  /**
   * The durability that the operator promises. A process refuses to start if the server does not provide it. Default: `single`.
   */
  durability?: Durability;
  /** Called after each statement with the seconds it took. */
  onAnswer?: (seconds: number) => void;
}

/**
 * Includes the wait for a free connection. A machine that stalls for seconds recovers in this time. Callers wait 20 s at most.
 */
const CONNECT_TIMEOUT_MS = 10_000;
/** How long a connection may idle before TCP keep-alive probes it. */
const KEEP_ALIVE_MS = 10_000;

/** Sets `search_path` on the connection, because TypeORM's `schema` does not apply to raw SQL. */
export function dataSourceFor(options: DatabaseOptions): Database {
  const {
    schema,
    url,
    poolMax = 10,
    migrations,
    entities = [],
    answerTimeoutMs = ANSWER_TIMEOUT_MS,
    onAnswer,
  } = options;
  const database = new Database({
    type: 'postgres',
    driver,
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
      onAnswer: (seconds: number, isSuccess: boolean) => {
        onAnswer?.(seconds);
        if (isSuccess) database.answered();
      },
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    },
    entities: entities as never,
    migrations: migrations as never,
  });
  return database;
}

const PATIENCE_MS = 20_000;
const RETRY_MS = 250;

/**
 * Connects, and waits for a database that is still starting. Then verifies that the schema has all migrations, and that commits
 * are as durable as promised.
 */
export async function openDataSource(options: DatabaseOptions): Promise<Database> {
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

/**
 * Bounds of each transaction of a migration. How long one builds an index or rewrites a table depends on the rows there, and a migration that
 * was cut off would begin again and be cut off again. Waiting for a lock is another matter: everything that uses the table queues up behind
 * it, so it ends well within the 20 s for which callers wait. They are set in the transaction, because a pooler passes on no others.
 */
const MIGRATION_BOUNDS_SQL = `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '5s'`;

class MigrationBounds implements EntitySubscriberInterface {
  async afterTransactionStart({ queryRunner }: TransactionStartEvent): Promise<void> {
    await queryRunner.query(MIGRATION_BOUNDS_SQL);
  }
}

/** Waits for the other migrator, however long that takes. */
const PATIENT_SQL = 'SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0';

/**
 * One migrator at a time per schema. The others wait and then find nothing to do. The lock belongs to a transaction, because a pooler
 * may give each transaction of a client another session.
 */
const LOCK_SQL = `SELECT pg_advisory_xact_lock(hashtext('migrations'), hashtext(current_schema()))`;

/** Updates one service's schema and the streams. Safe to run several times in parallel. Runs before any process. */
export async function runMigrations(
  options: DatabaseOptions & { natsUrl: string; topology?: TopologyOptions },
): Promise<void> {
  const source = dataSourceFor({ ...options, poolMax: 2, answerTimeoutMs: 0 });
  await source.initialize();
  source.subscribers.push(new MigrationBounds());
  const lock = source.createQueryRunner();
  try {
    await lock.startTransaction();
    await lock.query(PATIENT_SQL);
    await lock.query(LOCK_SQL);
    await source.runMigrations();
    await lock.commitTransaction();
  } finally {
    await lock.release();
    await source.destroy();
  }
  const nats = await connectNats(options.natsUrl, `migrate ${options.schema}`);
  await ensureTopology(nats, options.topology);
  await nats.close();
}
