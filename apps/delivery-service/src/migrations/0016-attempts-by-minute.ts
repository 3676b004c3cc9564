import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells within minutes that a destination has recovered. An hour's counts still hold its failures then. */
export class AttemptsByMinute1764000000016 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE attempt_minutes (
        workspace_id text NOT NULL,
        destination_id text NOT NULL,
        -- when they were counted
        minute timestamptz NOT NULL,
        -- delivered, failed or dead
        name text NOT NULL,
        events bigint NOT NULL,
        PRIMARY KEY (workspace_id, destination_id, minute, name)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE attempt_minutes');
  }
}
