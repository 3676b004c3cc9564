import { LEASE_TABLE_SQL, OUTBOX_TABLE_SQL } from '@weir/messaging';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateRegulations1764000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE regulations (
        id uuid PRIMARY KEY,
        -- order of creation; taken under the workspace's lock, so it is also the order of commits
        seq bigint GENERATED ALWAYS AS IDENTITY,
        workspace_id text NOT NULL,
        regulation_type text NOT NULL CHECK (regulation_type IN ('suppress', 'suppress_with_delete')),
        -- HMAC of workspace and user id
        user_key bytea NOT NULL,
        -- sealed with a key derived from the pepper
        attributes text NOT NULL,
        -- NULL: every source
        source_ids text[],
        -- frozen at creation; NULL for suppress
        destination_ids text[],
        created_by text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        canceled_at timestamptz
      )`);
    await runner.query('CREATE UNIQUE INDEX regulations_page ON regulations (workspace_id, seq)');
    // The rows that the filter queries. A row exists exactly while its regulation is in force. `*` stands for every source.
    await runner.query(`
      CREATE TABLE suppressions (
        user_key bytea NOT NULL,
        source_id text NOT NULL,
        regulation_id uuid NOT NULL REFERENCES regulations (id),
        PRIMARY KEY (user_key, source_id, regulation_id)
      )`);
    await runner.query(LEASE_TABLE_SQL);
    await runner.query(OUTBOX_TABLE_SQL);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE outbox, leases, lease_members, suppressions, regulations');
  }
}
