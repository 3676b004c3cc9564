import { type ListOrder, startAfter } from '@weir/contracts';
import type { Sql } from '@weir/messaging';
import { type Database, SerialTransactions, type Transaction } from '@weir/service-kit';
import {
  type AuditEntry,
  type AuditFact,
  CHAIN_START,
  type ChainEnd,
  chain,
  type RegulationAction,
} from './audit.chain.js';

/**
 * Serialises the writers of one workspace's trail. Call it first in a transaction that will append to the trail. All such
 * transactions take this lock first, so they cannot deadlock.
 */
export async function lockTrail(sql: Sql, workspaceId: string): Promise<void> {
  await sql.run(`SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '/audit/' || $1, 0))`, [
    workspaceId,
  ]);
}

const writers = new SerialTransactions(lockTrail);

/** Runs a transaction that may append to the trail, one at a time per workspace. Throws `unavailable` if too many wait. */
export const writeTrail = <T>(
  database: Database,
  workspaceId: string,
  work: (sql: Transaction) => Promise<T>,
): Promise<T> => writers.run(database, workspaceId, work);

/** Facts hashed and written in one go, because one request can cause thousands. */
export const FACTS_AT_ONCE = 500;

/** Appends the facts in order. The transaction must hold {@link lockTrail}. */
export async function appendToTrail(sql: Sql, workspaceId: string, facts: readonly AuditFact[]): Promise<void> {
  const at = new Date();
  let end = await endOf(sql, workspaceId);
  for (let from = 0; from < facts.length; from += FACTS_AT_ONCE) {
    const entries = chain(workspaceId, end, at, facts.slice(from, from + FACTS_AT_ONCE));
    await insertEntries(sql, workspaceId, entries);
    end = entries.at(-1) ?? end;
  }
}

async function insertEntries(sql: Sql, workspaceId: string, entries: readonly AuditEntry[]): Promise<void> {
  await sql.run(
    `INSERT INTO audit (workspace_id, position, at, actor, action, regulation_id, subject_hash, details, previous_hash, hash)
     SELECT $1, * FROM unnest($2::bigint[], $3::timestamptz[], $4::text[], $5::text[], $6::uuid[], $7::bytea[],
                              $8::jsonb[], $9::bytea[], $10::bytea[])`,
    [
      workspaceId,
      entries.map(({ position }) => position),
      entries.map(({ at }) => at.toISOString()),
      entries.map(({ actor }) => actor),
      entries.map(({ action }) => action),
      entries.map(({ regulationId }) => regulationId),
      entries.map(({ subjectHash }) => subjectHash),
      entries.map(({ details }) => JSON.stringify(details)),
      entries.map(({ previousHash }) => previousHash),
      entries.map(({ hash }) => hash),
    ],
  );
}

const COLUMNS = `workspace_id AS "workspaceId", position, at, actor, action, regulation_id AS "regulationId",
  subject_hash AS "subjectHash", details, previous_hash AS "previousHash", hash`;

type EntryRow = Omit<AuditEntry, 'position'> & { position: string };
const entryOf = (row: EntryRow): AuditEntry => ({ ...row, position: Number(row.position) });

/** A workspace's trail, oldest first unless asked: all of it, or up to `limit` entries behind a position, from its end for 0. */
export async function readTrail(
  sql: Sql,
  workspaceId: string,
  after = 0,
  limit?: number,
  order: ListOrder = 'asc',
): Promise<AuditEntry[]> {
  const [beyond, way] = order === 'asc' ? ['>', 'ASC'] : ['<', 'DESC'];
  const { rows } = await sql.run<EntryRow>(
    `SELECT ${COLUMNS} FROM audit WHERE workspace_id = $1 AND position ${beyond} $2 ORDER BY position ${way} LIMIT $3`,
    [workspaceId, startAfter(after, order), limit ?? null],
  );
  return rows.map(entryOf);
}

/** The newest entry with this action about a regulation. */
export async function lastEntryOf(
  sql: Sql,
  workspaceId: string,
  regulationId: string,
  action: RegulationAction,
): Promise<AuditEntry | undefined> {
  const { rows } = await sql.run<EntryRow>(
    `SELECT ${COLUMNS} FROM audit WHERE regulation_id = $1 AND workspace_id = $2 AND action = $3
     ORDER BY position DESC LIMIT 1`,
    [regulationId, workspaceId, action],
  );
  return rows[0] && entryOf(rows[0]);
}

async function endOf(sql: Sql, workspaceId: string): Promise<ChainEnd> {
  const { rows } = await sql.run<{ position: string; hash: Buffer }>(
    'SELECT position, hash FROM audit WHERE workspace_id = $1 ORDER BY position DESC LIMIT 1',
    [workspaceId],
  );
  const [last] = rows;
  return last ? { position: Number(last.position), hash: last.hash } : CHAIN_START;
}

/** Whether the chain has the act with this id. The transaction must hold {@link lockTrail}. */
export async function hasAct(sql: Sql, workspaceId: string, actId: string): Promise<boolean> {
  const { rows } = await sql.run(`SELECT FROM audit WHERE workspace_id = $1 AND details ->> 'actId' = $2`, [
    workspaceId,
    actId,
  ]);
  return rows.length > 0;
}
