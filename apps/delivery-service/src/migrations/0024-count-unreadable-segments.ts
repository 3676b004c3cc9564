import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts what a replay of a time range could not read. */
export class CountUnreadableSegments1764000000024 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE range_replays ADD COLUMN unreadable integer NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE range_replays DROP COLUMN unreadable');
  }
}
