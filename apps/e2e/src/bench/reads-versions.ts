import pg from 'pg';

const MODELS_CHUNK = 1_000;
const VERSIONS_PER_MODEL = 100;
const KEYS = 30;
const NOTICES_MAX = 500_000;

/** Adds models with 100 versions of about 30 keys each, set-based, until the given number of versions is added. */
export async function addVersions(databaseUrl: string, versions: number): Promise<string[]> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    await client.query('SET search_path = schemas');
    await client.query('SET session_replication_role = replica');
    const models = Math.ceil(versions / VERSIONS_PER_MODEL);
    for (let from = 0; from < models; from += MODELS_CHUNK) {
      await client.query(
        `WITH made AS (
           INSERT INTO models (event_id, workspace_id, write_key, event_type, event_identifier, schema, total_count, created_at, last_seen)
           SELECT gen_random_uuid(), 'bench', 'stored-' || n / 100, 'track', 'Stored ' || n,
             (SELECT jsonb_object_agg('properties.key_' || key, 'string') FROM generate_series(1, $3::int) AS key), 100, now(), now()
           FROM generate_series($1::int, $2::int) AS n RETURNING event_id)
         INSERT INTO versions (version_id, event_id, schema, total_count, first_seen, last_seen)
         SELECT gen_random_uuid(), event_id,
           (SELECT jsonb_object_agg('properties.key_' || key, 'string') FROM generate_series(1, $3::int - version % 7) AS key),
           1, now(), now()
         FROM made, generate_series(1, $4::int) AS version`,
        [from, Math.min(from + MODELS_CHUNK, models) - 1, KEYS, VERSIONS_PER_MODEL],
      );
    }
    await client.query(
      `INSERT INTO drift_notices (event_id, write_key, kind, version_id, keys, noticed_at)
       SELECT event_id, write_key, 'new_version', version_id, '{}', first_seen
       FROM versions JOIN models USING (event_id) ORDER BY version_id LIMIT $1`,
      [NOTICES_MAX],
    );
    for (const table of ['models', 'versions', 'drift_notices']) await client.query(`VACUUM ANALYZE ${table}`);
    const some = `SELECT event_id FROM models WHERE write_key LIKE 'stored-%' ORDER BY random() LIMIT 500`;
    const { rows } = await client.query<{ event_id: string }>(some);
    return rows.map(({ event_id }) => event_id);
  } finally {
    await client.end();
  }
}
