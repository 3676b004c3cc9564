import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a purge of the archive fails, and what it cannot read. */
export class FollowArchivePurges1764000000018 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE archive_purges
        -- segments so far that cannot be read, and stay as they are
        ADD COLUMN unreadable integer NOT NULL DEFAULT 0,
        -- its last turn failed
        ADD COLUMN is_failing boolean NOT NULL DEFAULT false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE archive_purges DROP COLUMN unreadable, DROP COLUMN is_failing');
  }
}
