import pg from 'pg';

const CHUNK = 500_000;
/** Typical length of one user's encrypted identifiers. */
const SEALED = 'x'.repeat(120);
/** Memory for recreating indexes from sorted rows, which is much faster than inserting each row at a random place. */
const INDEX_MEMORY = '1GB';
/** Only this primary key can be dropped, because nothing refers to it. */
const REMADE_KEY = 'ALTER TABLE suppressions ADD PRIMARY KEY (user_key, source_id, regulation_id)';

/** Adds active regulations to a stack's database, set-based, with random keys as if of other users. */
export async function addSuppressions(databaseUrl: string, workspaceId: string, rows: number): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    await client.query('SET search_path = regulation');
    await client.query('SET synchronous_commit = off');
    await client.query(`SET maintenance_work_mem = '${INDEX_MEMORY}'`);
    // Turns off foreign key triggers. The rows of one statement belong together.
    await client.query('SET session_replication_role = replica');
    const remade = await withoutIndexes(client);
    for (let from = 0; from < rows; from += CHUNK) {
      await addChunk(client, workspaceId, from + 1, Math.min(from + CHUNK, rows));
    }
    for (const statement of remade) await client.query(statement);
    await client.query('VACUUM ANALYZE regulations');
    await client.query('VACUUM ANALYZE suppressions');
  } finally {
    await client.end();
  }
}

/** Drops what can be recreated, and returns the statements that recreate it. */
async function withoutIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE schemaname = 'regulation' AND tablename = 'regulations' AND indexname <> 'regulations_pkey'`,
  );
  await client.query('ALTER TABLE suppressions DROP CONSTRAINT suppressions_pkey');
  for (const { name } of rows) await client.query(`DROP INDEX "${name}"`);
  return [REMADE_KEY, ...rows.map(({ definition }) => definition)];
}

/** Ids increase, so that the remaining primary key grows at its end. User keys are spread as HMACs are. */
function addChunk(client: pg.Client, workspaceId: string, first: number, last: number) {
  return client.query(
    `WITH made AS (
       INSERT INTO regulations (id, workspace_id, regulation_type, user_key, attributes, created_by)
       SELECT lpad(to_hex(n), 32, '0')::uuid, $1, 'suppress', sha256(('bench-' || n)::bytea), $4, 'bench'
       FROM generate_series($2::int, $3::int) AS n RETURNING id, user_key)
     INSERT INTO suppressions (user_key, source_id, regulation_id) SELECT user_key, '*', id FROM made`,
    [workspaceId, first, last, SEALED],
  );
}
