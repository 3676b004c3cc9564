import { LEASE_TABLE_SQL } from '@weir/messaging';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateDeliveries1764000000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await refuseUnmoved(queryRunner);
    await queryRunner.query(LEASE_TABLE_SQL);
    await queryRunner.query(`
      CREATE TABLE dead_letters (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        workspace_id text NOT NULL,
        destination_id text NOT NULL,
        source_id text NOT NULL,
        -- names the event of the batch; a redelivered message is not written twice
        event_key text NOT NULL,
        stage text NOT NULL CHECK (stage IN ('queue', 'user_transform', 'dest_transform', 'delivery')),
        reason text NOT NULL,
        -- of the last answer, where there was one
        status integer,
        attempts integer NOT NULL,
        -- as it was accepted, before any transformation; json, not jsonb: it may hold what jsonb refuses (a NUL)
        event json NOT NULL,
        -- by which regulations find it: name=value
        match_keys text[] NOT NULL,
        received_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (destination_id, event_key)
      )`);
    await queryRunner.query('CREATE INDEX dead_letters_listed ON dead_letters (workspace_id, destination_id, id)');
    await queryRunner.query('CREATE INDEX dead_letters_match ON dead_letters USING gin (match_keys)');
    await queryRunner.query('CREATE INDEX dead_letters_age ON dead_letters (created_at)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['dead_letters', 'leases', 'lease_members']) await queryRunner.query(`DROP TABLE ${table}`);
  }
}

/** New tables would hide the rows of an earlier release, which are still in schema `runner`. */
async function refuseUnmoved(queryRunner: QueryRunner): Promise<void> {
  const unmoved = await queryRunner.query(
    `SELECT FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
     WHERE nspname = 'runner' AND relname = 'dead_letters'`,
  );
  if (unmoved.length > 0)
    throw new Error('The tables of live delivery are still in schema runner: run deploy/postgres/provision.sql first');
}
