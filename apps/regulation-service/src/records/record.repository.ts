import type { RegulationType } from '@weir/contracts';
import type { Sql } from '@weir/messaging';

export interface RecordRow {
  id: string;
  /** Increases in order of creation. */
  seq: string;
  workspaceId: string;
  regulationType: RegulationType;
  userKey: Buffer;
  /** Encrypted. */
  attributes: string;
  /** Null for every source. */
  sourceIds: string[] | null;
  /** Null for `suppress`. */
  destinationIds: string[] | null;
  createdAt: Date;
  canceledAt: Date | null;
}

/** The fields that all records of one request share, and their users. */
export type NewRecords = Pick<RecordRow, 'workspaceId' | 'regulationType' | 'sourceIds' | 'destinationIds'> & {
  createdBy: string;
  /** In list order. */
  users: Pick<RecordRow, 'id' | 'userKey' | 'attributes'>[];
};

const COLUMNS = `id, seq, workspace_id AS "workspaceId", regulation_type AS "regulationType", user_key AS "userKey", attributes,
  source_ids AS "sourceIds", destination_ids AS "destinationIds", created_at AS "createdAt", canceled_at AS "canceledAt"`;

export async function insertRecords(sql: Sql, records: NewRecords): Promise<void> {
  await sql.query(
    `INSERT INTO regulations
       (workspace_id, regulation_type, source_ids, destination_ids, created_by, id, user_key, attributes)
     SELECT $1, $2, $3::text[], $4::text[], $5, id, user_key, attributes
     FROM unnest($6::uuid[], $7::bytea[], $8::text[]) WITH ORDINALITY AS new (id, user_key, attributes, ordinal)
     ORDER BY ordinal`,
    [
      records.workspaceId,
      records.regulationType,
      records.sourceIds,
      records.destinationIds,
      records.createdBy,
      records.users.map(({ id }) => id),
      records.users.map(({ userKey }) => userKey),
      records.users.map(({ attributes }) => attributes),
    ],
  );
}

/** Filters that the database can apply. Undefined matches everything. */
export interface RecordFilter {
  userKey?: Buffer | undefined;
  regulationType?: RegulationType | undefined;
  canceled?: boolean | undefined;
}

/** Up to `limit` records after the position, in order of creation. */
export function listRecords(
  sql: Sql,
  workspaceId: string,
  after: bigint,
  limit: number,
  { userKey, regulationType, canceled }: RecordFilter = {},
): Promise<RecordRow[]> {
  const parameters: unknown[] = [workspaceId, after.toString(), limit];
  const conditions: string[] = [];
  // The query contains only the given conditions, so that the planner picks the matching index.
  if (userKey) conditions.push(`AND user_key = $${parameters.push(userKey)}`);
  if (regulationType) conditions.push(`AND regulation_type = $${parameters.push(regulationType)}`);
  if (canceled !== undefined) conditions.push(`AND canceled_at IS ${canceled ? 'NOT NULL' : 'NULL'}`);
  return sql.query(
    `SELECT ${COLUMNS} FROM regulations WHERE workspace_id = $1 AND seq > $2 ${conditions.join(' ')}
     ORDER BY seq LIMIT $3`,
    parameters,
  );
}

export async function findRecord(sql: Sql, workspaceId: string, id: string): Promise<RecordRow | undefined> {
  const [row] = await sql.query<RecordRow[]>(`SELECT ${COLUMNS} FROM regulations WHERE workspace_id = $1 AND id = $2`, [
    workspaceId,
    id,
  ]);
  return row;
}

export async function markCanceled(sql: Sql, workspaceId: string, id: string): Promise<void> {
  await sql.query('UPDATE regulations SET canceled_at = now() WHERE workspace_id = $1 AND id = $2', [workspaceId, id]);
}
