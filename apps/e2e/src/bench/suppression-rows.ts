import pg from 'pg';

const CHUNK = 500_000;

/** Adds so many regulations that are in force, set-based, to a stack's database; with random keys, as if of other users. */
export async function addSuppressions(databaseUrl: string, workspaceId: string, rows: number): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    await client.query('SET search_path = regulation');
    // Without the triggers of the foreign key: the rows of one statement belong together.
    await client.query('SET session_replication_role = replica');
    for (let from = 0; from < rows; from += CHUNK) {
      await client.query(
        `WITH made AS (
           INSERT INTO regulations (id, workspace_id, regulation_type, user_key, attributes, created_by)
           SELECT gen_random_uuid(), $1, 'suppress', sha256(('bench-' || n)::bytea), 'sealed', 'bench'
           FROM generate_series($2::int, $3::int) AS n RETURNING id, user_key)
         INSERT INTO suppressions (user_key, source_id, regulation_id) SELECT user_key, '*', id FROM made`,
        [workspaceId, from + 1, Math.min(from + CHUNK, rows)],
      );
    }
    await client.query('VACUUM ANALYZE regulations');
    await client.query('VACUUM ANALYZE suppressions');
  } finally {
    await client.end();
  }
}
