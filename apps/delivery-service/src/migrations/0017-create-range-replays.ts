import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Replays of time ranges from the archive, and deletions that rewrite it. */
export class CreateRangeReplays1764000000017 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE range_replays (
        id text PRIMARY KEY,
        workspace_id text NOT NULL,
        source_id text NOT NULL,
        destination_id text NOT NULL,
        from_time timestamptz NOT NULL,
        to_time timestamptz NOT NULL,
        dry_run boolean NOT NULL,
        events_per_second integer NOT NULL,
        -- only these. Missing: all
        types text[],
        event_names text[],
        state text NOT NULL CHECK (state IN ('running', 'paused', 'done', 'cancelled', 'failed')),
        -- why it is paused, failed or waits
        problem text,
        -- the last event that was read
        place jsonb,
        events bigint NOT NULL DEFAULT 0,
        bytes bigint NOT NULL DEFAULT 0,
        suppressed bigint NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(),
        ended_at timestamptz,
        -- nobody works on it before
        next_at timestamptz NOT NULL DEFAULT now(),
        -- changes with each archiver that works on it
        turn uuid
      )`);
    await runner.query('CREATE INDEX range_replays_listed ON range_replays (workspace_id, created_at)');
    await runner.query(`CREATE INDEX range_replays_due ON range_replays (next_at) WHERE state = 'running'`);
    await runner.query(`
      CREATE TABLE archive_purges (
        id text PRIMARY KEY,
        workspace_id text NOT NULL,
        -- match keys of the users
        identifiers text[] NOT NULL,
        -- the last segment that holds none of them
        after_name text NOT NULL DEFAULT '',
        progress_at timestamptz NOT NULL DEFAULT now(),
        done_at timestamptz,
        -- nobody else works on it before
        next_at timestamptz NOT NULL DEFAULT now(),
        turn uuid
      )`);
    await runner.query('CREATE INDEX archive_purges_due ON archive_purges (next_at) WHERE done_at IS NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE range_replays, archive_purges');
  }
}
