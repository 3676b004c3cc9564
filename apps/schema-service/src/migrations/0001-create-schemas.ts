import { LEASE_TABLE_SQL } from '@weir/messaging';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counts change with every flush. Free space in the pages keeps these updates off the indexes, and vacuum runs early. Statistics
 * and samples are text, because jsonb cannot hold U+0000 and no query looks inside them.
 */
const HOT = 'WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01)';

export class CreateSchemas1764000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE models (
        event_id uuid PRIMARY KEY,
        id bigserial NOT NULL UNIQUE,
        workspace_id text NOT NULL,
        write_key text NOT NULL,
        event_type text NOT NULL,
        event_identifier text NOT NULL,
        schema jsonb NOT NULL DEFAULT '{}',
        evicted_key_counts jsonb NOT NULL DEFAULT '{}',
        total_count bigint NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL,
        last_seen timestamptz NOT NULL
      ) ${HOT};
      CREATE INDEX models_by_write_key ON models (write_key, id);
      CREATE INDEX models_by_workspace ON models (workspace_id, event_id);

      CREATE TABLE versions (
        version_id uuid PRIMARY KEY,
        id bigserial NOT NULL UNIQUE,
        event_id uuid NOT NULL REFERENCES models,
        schema jsonb NOT NULL,
        total_count bigint NOT NULL DEFAULT 0,
        first_seen timestamptz NOT NULL,
        last_seen timestamptz NOT NULL
      ) ${HOT};
      CREATE INDEX versions_by_model ON versions (event_id, id);

      CREATE TABLE statistics (
        owner_id uuid PRIMARY KEY,
        event_id uuid NOT NULL REFERENCES models,
        frequent_values text NOT NULL,
        samples text NOT NULL
      ) ${HOT};
      CREATE INDEX statistics_by_model ON statistics (event_id);

      CREATE TABLE applied_batches (
        batch_id text PRIMARY KEY,
        applied_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX applied_batches_by_time ON applied_batches (applied_at);

      CREATE TABLE dead_letters (
        id bigserial PRIMARY KEY,
        subject text NOT NULL,
        sequence bigint NOT NULL,
        reason text NOT NULL,
        body text,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX dead_letters_by_time ON dead_letters (created_at);
    `);
    await runner.query(LEASE_TABLE_SQL);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE dead_letters, applied_batches, statistics, versions, models, leases, lease_members`);
  }
}
