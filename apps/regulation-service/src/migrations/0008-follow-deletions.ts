import type { MigrationInterface, QueryRunner } from 'typeorm';

export class FollowDeletions1764000000008 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE deletion_tasks
        -- which configuration the last attempt used (a digest of it, sealed as it is): another one is tried at once
        ADD COLUMN config_mark text,
        -- what the vendor is asked with for the end of a forwarded deletion, and how often it was asked
        ADD COLUMN receipt text,
        ADD COLUMN checks integer NOT NULL DEFAULT 0,
        -- how far a long attempt came, sealed: names of objects may hold names of people
        ADD COLUMN progress text,
        ADD COLUMN forwarded_at timestamptz,
        ADD COLUMN ended_at timestamptz`);
    // In claim order, because thousands of tasks of one request become due at the same moment.
    await runner.query('DROP INDEX deletion_tasks_due');
    await runner.query(
      'CREATE INDEX deletion_tasks_due ON deletion_tasks (destination_id, due_at, id) WHERE due_at IS NOT NULL',
    );
    await runner.query(`
      CREATE INDEX deletion_tasks_open ON deletion_tasks (destination_id)
      WHERE status IN ('pending', 'running', 'failed')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX deletion_tasks_open, deletion_tasks_due');
    await runner.query(
      'CREATE INDEX deletion_tasks_due ON deletion_tasks (destination_id, due_at) WHERE due_at IS NOT NULL',
    );
    await runner.query(`
      ALTER TABLE deletion_tasks DROP COLUMN config_mark, DROP COLUMN receipt, DROP COLUMN checks, DROP COLUMN progress,
        DROP COLUMN forwarded_at, DROP COLUMN ended_at`);
  }
}
