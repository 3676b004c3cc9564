import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateTestRuns1764000000003 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE test_runs (
        position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        id text NOT NULL UNIQUE,
        workspace_id text NOT NULL,
        destination_id text NOT NULL,
        destination_name text NOT NULL,
        -- of a test of a source
        source_id text,
        created_at timestamptz NOT NULL DEFAULT now(),
        created_by text,
        -- of a test that expected something
        passed boolean,
        -- secrets stand as ***; json, not jsonb: it may hold what jsonb refuses (a NUL)
        request json NOT NULL,
        result json NOT NULL,
        -- by which regulations find it: name=value
        match_keys text[] NOT NULL
      )`);
    await queryRunner.query('CREATE INDEX test_runs_listed ON test_runs (workspace_id, position)');
    await queryRunner.query('CREATE INDEX test_runs_match ON test_runs USING gin (match_keys)');
    await queryRunner.query('CREATE INDEX test_runs_age ON test_runs (created_at)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE test_runs');
  }
}
