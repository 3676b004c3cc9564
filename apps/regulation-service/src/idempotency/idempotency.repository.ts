import type { Sql } from '@weir/messaging';

/** How long a key is remembered: longer than any client keeps retrying. */
const RETENTION = "interval '24 hours'";
/** Expired keys of any workspace that each new key removes. Removing more than one shrinks a backlog. */
const EXPIRED_AT_ONCE = 20;

/** A key and the request that it stands for, both hashed. */
export interface KeyedRequest {
  workspaceId: string;
  key: Buffer;
  fingerprint: Buffer;
}

export interface KeyedAnswer {
  fingerprint: Buffer;
  regulationIds: string[];
}

export async function findAnswer(
  sql: Sql,
  { workspaceId, key }: Pick<KeyedRequest, 'workspaceId' | 'key'>,
): Promise<KeyedAnswer | undefined> {
  const [answer] = await sql.query<KeyedAnswer[]>(
    `SELECT fingerprint, regulation_ids AS "regulationIds" FROM idempotency_keys
     WHERE workspace_id = $1 AND key = $2 AND created_at > now() - ${RETENTION}`,
    [workspaceId, key],
  );
  return answer;
}

/** Replaces a key that exists already, because such a key has expired. */
export async function keepAnswer(sql: Sql, request: KeyedRequest, regulationIds: readonly string[]): Promise<void> {
  await sql.query(
    `INSERT INTO idempotency_keys (workspace_id, key, fingerprint, regulation_ids) VALUES ($1, $2, $3, $4)
     ON CONFLICT (workspace_id, key) DO UPDATE SET
       fingerprint = excluded.fingerprint, regulation_ids = excluded.regulation_ids, created_at = now()`,
    [request.workspaceId, request.key, request.fingerprint, regulationIds],
  );
  await sql.query(
    `DELETE FROM idempotency_keys WHERE (workspace_id, key) IN (
       SELECT workspace_id, key FROM idempotency_keys WHERE created_at <= now() - ${RETENTION}
       ORDER BY created_at LIMIT ${EXPIRED_AT_ONCE} FOR UPDATE SKIP LOCKED)`,
  );
}
