import type { Sql } from '@weir/messaging';
import { lockTrail } from '../audit/audit.repository.js';
import { DEAD_LETTER_AAD, PROGRESS_AAD } from '../secrets/match-keys.js';

const ROWS_AT_ONCE = 200;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

export interface SealedRegulation {
  id: string;
  workspaceId: string;
  userKey: Buffer;
  attributes: string;
}

export interface RehashedRegulation extends SealedRegulation {
  newKey: Buffer;
  newAttributes: string;
}

/** Some regulations that another pepper than the first sealed, in the order of their ids. */
export async function staleRegulations(sql: Sql, mark: string, after = FIRST_ID): Promise<SealedRegulation[]> {
  const { rows } = await sql.run<SealedRegulation>(
    `SELECT id, workspace_id AS "workspaceId", user_key AS "userKey", attributes FROM regulations
     WHERE id > $1 AND NOT starts_with(attributes, $2) ORDER BY id LIMIT ${ROWS_AT_ONCE}`,
    [after, mark],
  );
  return rows;
}

/**
 * Gives regulations of one workspace and their suppressions another match key. A cancellation reads the key first, and the lock
 * makes it wait.
 */
export async function storeRehashed(sql: Sql, workspaceId: string, rows: readonly RehashedRegulation[]): Promise<void> {
  await lockTrail(sql, workspaceId);
  const ids = rows.map(({ id }) => id);
  const newKeys = rows.map(({ newKey }) => newKey);
  await sql.run(
    `UPDATE regulations AS row SET user_key = new.user_key, attributes = new.attributes
     FROM unnest($1::uuid[], $2::text[], $3::bytea[], $4::text[]) AS new (id, before, user_key, attributes)
     WHERE row.id = new.id AND row.attributes = new.before`,
    [ids, rows.map(({ attributes }) => attributes), newKeys, rows.map(({ newAttributes }) => newAttributes)],
  );
  await sql.run(
    `UPDATE suppressions AS row SET user_key = new.user_key
     FROM unnest($1::uuid[], $2::bytea[], $3::bytea[]) AS new (id, before, user_key)
     WHERE row.user_key = new.before AND row.regulation_id = new.id`,
    [ids, rows.map(({ userKey }) => userKey), newKeys],
  );
}

/** A column of sealed texts that do not belong to a regulation. */
export interface SealedTexts {
  table: 'deletion_tasks' | 'dead_letters';
  column: 'progress' | 'payload';
  purpose: 'progress' | 'dead-letters';
  aad: string;
}

export const SEALED_TEXTS: readonly SealedTexts[] = [
  { table: 'deletion_tasks', column: 'progress', purpose: 'progress', aad: PROGRESS_AAD },
  { table: 'dead_letters', column: 'payload', purpose: 'dead-letters', aad: DEAD_LETTER_AAD },
];

export interface SealedText {
  id: string;
  sealed: string;
}

export interface ResealedText extends SealedText {
  again: string;
}

/** Some texts that another pepper than the first sealed, in the order of their ids. */
export async function staleTexts(
  sql: Sql,
  { table, column }: SealedTexts,
  mark: string,
  after = '0',
): Promise<SealedText[]> {
  const { rows } = await sql.run<SealedText>(
    `SELECT id::text AS id, ${column} AS sealed FROM ${table}
     WHERE id > $1::bigint AND NOT starts_with(${column}, $2) ORDER BY ${table}.id LIMIT ${ROWS_AT_ONCE}`,
    [after, mark],
  );
  return rows;
}

/** Leaves a text unchanged if it has changed meanwhile. */
export async function replaceSealed(
  sql: Sql,
  { table, column }: SealedTexts,
  { id, sealed, again }: ResealedText,
): Promise<void> {
  await sql.run(`UPDATE ${table} SET ${column} = $3 WHERE id = $1::bigint AND ${column} = $2`, [id, sealed, again]);
}
