import { AppendAudit, type AuditAct } from '@weir/contracts';
import { SingleFlight } from './concurrency.js';
import type { RpcClient } from './rpc-client.js';
import type { Sql, SqlDatabase } from './sql.js';

/** Facts to send after their transaction. Each receiver has its own table, so that none holds up another. */
type OutboxTable = 'outbox' | 'audit_outbox';

const outboxTableSql = (table: OutboxTable) => `
  CREATE TABLE ${table} (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    topic text NOT NULL,
    payload jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  )`;
/** Part of the owning service's first migration. */
export const OUTBOX_TABLE_SQL = outboxTableSql('outbox');

/** One relay at a time per table. The key includes the schema, because advisory locks apply to the whole database. */
const lockSql = (table: OutboxTable) =>
  `SELECT pg_advisory_xact_lock(hashtext('${table}'), hashtext(current_schema()))`;

/** Rows per round. Each round is one transaction. */
const ROUND_ROWS_MAX = 100;
/**
 * A round delivers nothing more after this time. PostgreSQL ends a transaction that is idle for 15 s, and the round's progress with it.
 * The rest is room for the last delivery.
 */
const ROUND_MS_MAX = 3_000;
const IDLE_POLL_MS = 500;
const RETRY_MS_MAX = 5_000;

export interface OutboxRow {
  id: string;
  topic: string;
  payload: Record<string, unknown>;
}

/** Adds a fact in the caller's transaction, so that it is sent if and only if that commits. */
export async function outboxAdd(
  sql: Sql,
  topic: string,
  payload: object,
  table: OutboxTable = 'outbox',
): Promise<void> {
  await sql.run(`INSERT INTO ${table} (topic, payload) VALUES ($1, $2)`, [topic, JSON.stringify(payload)]);
}

/** Sends the facts in the outbox in order and at least once. Waits while the receiver is away. */
export class OutboxRelay {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;
  private failures = 0;
  /** Waiting for the lock holds a connection. Callers share one run, so that they leave connections for `deliver`. */
  private readonly flight = new SingleFlight(() => this.drain());

  constructor(
    private readonly database: SqlDatabase,
    /** Must be idempotent. A row is delivered again when its round did not commit. */
    private readonly deliver: (row: OutboxRow) => Promise<void>,
    private readonly log: { warn(message: string): void },
    private readonly table: OutboxTable = 'outbox',
  ) {}

  start(): void {
    this.schedule(0);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running.catch(() => undefined);
  }

  /** Resolves when everything committed before the call has been sent. Rejects when that fails now. */
  flush(): Promise<void> {
    return this.flight.run();
  }

  private async drain(): Promise<void> {
    while (await this.round());
  }

  private schedule(delayMs: number): void {
    this.timer = setTimeout(() => {
      this.running = this.flush()
        .then(() => {
          this.failures = 0;
        })
        .catch((error: Error) => {
          this.failures += 1;
          this.log.warn(`the outbox will try again: ${error.message}`);
        })
        .finally(() => {
          if (!this.stopped) this.schedule(Math.min(RETRY_MS_MAX, IDLE_POLL_MS * 2 ** this.failures));
        });
    }, delayMs);
  }

  /** Returns whether there may be more. */
  private round(): Promise<boolean> {
    return this.database.transaction(async (sql) => {
      await sql.run(lockSql(this.table));
      const { rows } = await sql.run<OutboxRow>(`SELECT id, topic, payload FROM ${this.table} ORDER BY id LIMIT $1`, [
        ROUND_ROWS_MAX,
      ]);
      const delivered = await this.deliverSome(rows);
      if (delivered.length > 0) await sql.run(`DELETE FROM ${this.table} WHERE id = ANY($1::bigint[])`, [delivered]);
      return delivered.length < rows.length || rows.length === ROUND_ROWS_MAX;
    });
  }

  /** Returns the ids of those that were delivered before the time was over. */
  private async deliverSome(rows: readonly OutboxRow[]): Promise<string[]> {
    const end = performance.now() + ROUND_MS_MAX;
    const delivered: string[] = [];
    for (const row of rows) {
      await this.deliver(row);
      delivered.push(row.id);
      if (performance.now() >= end) break;
    }
    return delivered;
  }
}

const TABLE = 'audit_outbox';
const TOPIC = 'audit';

/** Acts on their way to the audit trail. Part of a migration of each service whose acts are audited. */
export const AUDIT_OUTBOX_SQL = outboxTableSql(TABLE);

/** Records an act in the caller's transaction: it is in the trail if and only if that commits. */
export const noteAct = (sql: Sql, act: AuditAct): Promise<void> => outboxAdd(sql, TOPIC, act, TABLE);

/** Hands acts to the trail, in order and however long the regulation service is away. Nothing else waits for it. */
export const auditRelay = (database: SqlDatabase, rpc: RpcClient, log: { warn(message: string): void }): OutboxRelay =>
  new OutboxRelay(
    database,
    async ({ payload }) => {
      await rpc.send(AppendAudit, payload as AuditAct);
    },
    log,
    TABLE,
  );
