import { AppendAudit, type AuditAct } from '@weir/contracts';
import { SingleFlight } from './concurrency.js';
import { FairLimiter } from './fair-limiter.js';
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

/** The workspace that a row is of. Rows of none have the empty text. */
const LANE = `coalesce(payload ->> 'workspaceId', '')`;

/** Finds the rows of a workspace. Part of a later migration of the owning service. */
export const outboxLanesSql = (table: OutboxTable): string => `CREATE INDEX ${table}_lanes ON ${table} ((${LANE}), id)`;

/**
 * One relay at a time per table and workspace. Rows of no workspace may concern all, so nothing else is sent meanwhile. Relays of the
 * version before hold the whole table. Keys include the schema, because advisory locks apply to the whole database.
 */
const lockSql = (table: OutboxTable, lane: string) =>
  lane === ''
    ? `SELECT pg_advisory_xact_lock(${tableKey(table)}), $1::text`
    : `SELECT pg_advisory_xact_lock_shared(${tableKey(table)}), pg_advisory_xact_lock(${laneKey(table)})`;

/** Like `lockSql`, but gives no lock if it would have to wait. For rows of no workspace it waits, or many workspaces could keep them out. */
const tryLockSql = (table: OutboxTable) =>
  `SELECT pg_try_advisory_xact_lock_shared(${tableKey(table)}) AND pg_try_advisory_xact_lock(${laneKey(table)}) AS "isHeld"`;

const tableKey = (table: OutboxTable) => `hashtext('${table}'), hashtext(current_schema())`;
const laneKey = (table: OutboxTable) => `hashtextextended(current_schema() || '/${table}/' || $1, 0)`;

/** Jumps from workspace to workspace in the index, however many rows each has. */
const lanesSql = (table: OutboxTable) => `
  WITH RECURSIVE lanes AS (
    (SELECT ${LANE} AS lane FROM ${table} ORDER BY ${LANE} LIMIT 1)
    UNION ALL
    SELECT (SELECT ${LANE} FROM ${table} WHERE ${LANE} > lanes.lane ORDER BY ${LANE} LIMIT 1)
    FROM lanes WHERE lanes.lane IS NOT NULL)
  SELECT lane FROM lanes WHERE lane IS NOT NULL LIMIT $1`;

/** Rows per round. Each round is one transaction. */
const ROUND_ROWS_MAX = 100;
/**
 * A round delivers nothing more after this time. PostgreSQL ends a transaction that is idle for 15 s, and the round's progress with it.
 * The rest is room for the last delivery.
 */
const ROUND_MS_MAX = 3_000;
const IDLE_POLL_MS = 500;
const RETRY_MS_MAX = 5_000;
/** Workspaces looked at in one poll. Those beyond have their turn when these are done. */
const LANES_SEEN_MAX = 10_000;
/**
 * Workspaces that the relay works for at a time. They take turns by rounds, each of which holds a connection, also while a receiver
 * hangs. A process has up to two relays, which leave most connections to everything else.
 */
const LANES_AT_ONCE = 50;
const ROUNDS = { max: 2, ownerMax: 1, waitingMax: 100, waitMs: 30_000 };

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

/** A workspace that the relay works for, or that failed. */
interface HeldLane {
  failures: number;
  /** When it may be tried again. */
  until: number;
}

/**
 * Sends the facts in the outbox at least once, those of one workspace (`workspaceId` of the payload) in order. Waits while the receiver is
 * away. A row that fails holds up its workspace alone.
 */
export class OutboxRelay {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;
  private failures = 0;
  private readonly held = new Map<string, HeldLane>();
  private readonly works = new Set<Promise<void>>();
  private readonly rounds = new FairLimiter(ROUNDS);
  /** Callers share one run for each workspace. */
  private readonly flights = new Map<string, SingleFlight>();

  constructor(
    private readonly database: SqlDatabase,
    /** Must be idempotent. A row is delivered again when its round did not commit. Runs in the round's transaction, which is `sql`. */
    private readonly deliver: (row: OutboxRow, sql: Sql) => Promise<void>,
    private readonly log: { warn(message: string): void },
    private readonly table: OutboxTable = 'outbox',
  ) {}

  start(): void {
    this.schedule(0);
  }

  /** Resolves after the rounds that are under way, each of which ends after the row that it is at. The rest stays in the table. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
    await Promise.all(this.works);
  }

  /**
   * Resolves when everything of the workspace that was committed before the call has been sent. Rejects when that fails now. Without a
   * workspace, the rows of none.
   */
  async flush(workspaceId = ''): Promise<void> {
    const flight = this.flights.get(workspaceId) ?? new SingleFlight(() => this.drain(workspaceId, true));
    this.flights.set(workspaceId, flight);
    try {
      await flight.run();
    } finally {
      if (flight.isIdle) this.flights.delete(workspaceId);
    }
  }

  /** Only patient work waits for another relay of the workspace, and goes on when this one stops. */
  private async drain(lane: string, isPatient: boolean): Promise<void> {
    const isOver = () => this.stopped && !isPatient;
    while (await this.rounds.use(lane, async () => !isOver() && this.round(lane, isPatient)));
  }

  private schedule(delayMs: number): void {
    this.timer = setTimeout(() => {
      this.running = this.poll()
        .then(() => {
          this.failures = 0;
        })
        .catch((error: Error) => {
          this.failures += 1;
          this.log.warn(`the outbox will try again: ${error.message}`);
        })
        .finally(() => {
          if (!this.stopped) this.schedule(retryMs(this.failures));
        });
    }, delayMs);
  }

  /** Begins to work for workspaces with rows, and waits for none of them. */
  private async poll(): Promise<void> {
    const { rows } = await this.database.run<{ lane: string }>(lanesSql(this.table), [LANES_SEEN_MAX]);
    const now = performance.now();
    const lanes = new Set(rows.map(({ lane }) => lane));
    for (const [lane, { until }] of this.held) if (until <= now && !lanes.has(lane)) this.held.delete(lane);
    const free = rows.filter(({ lane }) => (this.held.get(lane)?.until ?? 0) <= now);
    for (const { lane } of free.slice(0, LANES_AT_ONCE - this.works.size)) {
      const work = this.work(lane).finally(() => this.works.delete(work));
      this.works.add(work);
    }
  }

  private async work(lane: string): Promise<void> {
    const failures = (this.held.get(lane)?.failures ?? 0) + 1;
    this.held.set(lane, { failures, until: Number.POSITIVE_INFINITY });
    try {
      await this.drain(lane, false);
      this.held.delete(lane);
    } catch (error) {
      this.held.set(lane, { failures, until: performance.now() + retryMs(failures) });
      this.log.warn(`the outbox will try again: ${(error as Error).message}`);
    }
  }

  /** Returns whether there may be more. Keeps what was delivered before a row failed. */
  private async round(lane: string, isPatient: boolean): Promise<boolean> {
    const { isMore, failure } = await this.database.transaction(async (sql) => {
      if (!(await this.lock(lane, isPatient, sql))) return { isMore: false };
      const { rows } = await sql.run<OutboxRow>(
        `SELECT id, topic, payload FROM ${this.table} WHERE ${LANE} = $1 ORDER BY id LIMIT $2`,
        [lane, ROUND_ROWS_MAX],
      );
      const { delivered, ...end } = await this.deliverSome(rows, sql);
      if (delivered.length > 0) await sql.run(`DELETE FROM ${this.table} WHERE id = ANY($1::bigint[])`, [delivered]);
      return { isMore: delivered.length < rows.length || rows.length === ROUND_ROWS_MAX, ...end };
    });
    if (failure) throw failure.error;
    return isMore;
  }

  /** False if another relay works for the workspace. */
  private async lock(lane: string, isPatient: boolean, sql: Sql): Promise<boolean> {
    if (isPatient || lane === '') {
      await sql.run(lockSql(this.table, lane), [lane]);
      return true;
    }
    const { rows } = await sql.run<{ isHeld: boolean }>(tryLockSql(this.table), [lane]);
    return rows[0]?.isHeld ?? false;
  }

  /** Returns the ids of those that were delivered before one failed, the time was over or the relay stopped. */
  private async deliverSome(rows: readonly OutboxRow[], sql: Sql): Promise<Delivered> {
    const end = performance.now() + ROUND_MS_MAX;
    const delivered: string[] = [];
    for (const row of rows) {
      try {
        await this.deliver(row, sql);
      } catch (error) {
        return { delivered, failure: { error } };
      }
      delivered.push(row.id);
      if (performance.now() >= end || this.stopped) break;
    }
    return { delivered };
  }
}

interface Delivered {
  delivered: string[];
  failure?: { error: unknown };
}

const retryMs = (failures: number) => Math.min(RETRY_MS_MAX, IDLE_POLL_MS * 2 ** failures);

const TABLE = 'audit_outbox';
const TOPIC = 'audit';

/** Acts on their way to the audit trail. Part of a migration of each service whose acts are audited. */
export const AUDIT_OUTBOX_SQL = outboxTableSql(TABLE);

/** Records an act in the caller's transaction: it is in the trail if and only if that commits. */
export const noteAct = (sql: Sql, act: AuditAct): Promise<void> => outboxAdd(sql, TOPIC, act, TABLE);

/** Hands acts to the trail, those of a workspace in order, however long the regulation service is away. Nothing else waits for it. */
export const auditRelay = (database: SqlDatabase, rpc: RpcClient, log: { warn(message: string): void }): OutboxRelay =>
  new OutboxRelay(
    database,
    async ({ payload }) => {
      await rpc.send(AppendAudit, payload as AuditAct);
    },
    log,
    TABLE,
  );
