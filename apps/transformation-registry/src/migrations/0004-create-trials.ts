import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateTrials1764000000004 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- null: nothing is rolled back
      ALTER TABLE transformations ADD COLUMN rollback_error_rate double precision
        CHECK (rollback_error_rate > 0 AND rollback_error_rate <= 1)`);
    await queryRunner.query(`
      CREATE TABLE version_trials (
        workspace_id text NOT NULL,
        version_id text NOT NULL,
        transformation_id text NOT NULL,
        position bigint GENERATED ALWAYS AS IDENTITY,
        -- live until this one was; null when nothing was
        previous_version_id text,
        -- of the transformation, at the publish
        error_rate double precision NOT NULL,
        state text NOT NULL DEFAULT 'running'
          CHECK (state IN ('running', 'passed', 'failed', 'rolledBack', 'kept', 'stopped')),
        -- what each deliverer reported last: {deliverer: {events, errors}}
        reports jsonb NOT NULL DEFAULT '{}',
        -- their sums
        events integer NOT NULL DEFAULT 0,
        errors integer NOT NULL DEFAULT 0,
        reason text,
        started_at timestamptz NOT NULL,
        ended_at timestamptz,
        PRIMARY KEY (workspace_id, version_id),
        FOREIGN KEY (workspace_id, transformation_id, version_id)
          REFERENCES transformation_revisions (workspace_id, transformation_id, version_id)
      )`);
    await queryRunner.query(
      'CREATE INDEX version_trials_listed ON version_trials (workspace_id, transformation_id, position)',
    );
    await queryRunner.query('ALTER TABLE destination_releases ADD COLUMN on_trial boolean NOT NULL DEFAULT false');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE destination_releases DROP COLUMN on_trial');
    await queryRunner.query('DROP TABLE version_trials');
    await queryRunner.query('ALTER TABLE transformations DROP COLUMN rollback_error_rate');
  }
}
