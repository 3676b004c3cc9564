import type { Metrics } from './metrics.js';
import type { SharedPool } from './shared-pool.js';
import type { Database } from './sql.js';

/** In seconds, up to the time after which the server ends a statement. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];
/** Adding up files takes milliseconds and sizes change slowly, so not every scrape asks. */
const SIZE_EVERY_MS = 5 * 60_000;

interface Size {
  schema: string;
  bytes: number;
}

const SIZE_SQL = `SELECT current_schema() AS schema, coalesce(sum(pg_table_size(c.oid) + pg_indexes_size(c.oid)), 0)::float8 AS bytes
  FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'm')`;

/** Metrics of the connections, the queries and the size of a process's database. */
export class DatabaseMetrics {
  private readonly queries;
  private database: Database | undefined;
  private size: Size | undefined;
  private measureAt = 0;

  constructor(metrics: Pick<Metrics, 'histogram' | 'gauge'>) {
    this.queries = metrics.histogram({
      name: 'weir_database_query_seconds',
      help: 'Time from sending a statement to its whole answer, without the wait for a connection',
      buckets: BUCKETS,
    });
    const connections = () => this.connections();
    metrics.gauge({
      name: 'weir_database_connections',
      help: 'Connections of this process by state (busy or idle), and calls that wait for one (waiting)',
      labelNames: ['state'],
      collect() {
        for (const [state, count] of Object.entries(connections())) this.set({ state }, count);
      },
    });
    const measured = () => this.measured();
    metrics.gauge({
      name: 'weir_database_bytes',
      help: 'Bytes of the tables and indexes in a schema, measured every five minutes',
      labelNames: ['schema'],
      collect() {
        const size = measured();
        if (size) this.set({ schema: size.schema }, size.bytes);
      },
    });
  }

  /** Called by connections after each statement. */
  readonly answered = (seconds: number): void => this.queries.observe(seconds);

  watch(database: Database): Database {
    this.database = database;
    return database;
  }

  private connections(): Record<string, number> {
    if (!this.database?.isInitialized) return {};
    const { totalCount, idleCount, waitingQueries } = (this.database.driver as unknown as { master: SharedPool })
      .master;
    return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingQueries };
  }

  /** The last known size. A scrape never waits for a connection. */
  private measured(): Size | undefined {
    const now = performance.now();
    if (this.database?.isInitialized && now >= this.measureAt) {
      this.measureAt = now + SIZE_EVERY_MS;
      this.measure(this.database).catch(() => {
        this.measureAt = now;
      });
    }
    return this.size;
  }

  private async measure(database: Database): Promise<void> {
    const { rows } = await database.run<Size>(SIZE_SQL);
    this.size = rows[0];
  }
}
