import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A process that cannot know whether its counts were stored sends them again. Here it finds out. */
export class CountOnce1764000000015 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE count_flushes (
        -- a process, from its start to its end
        writer text PRIMARY KEY,
        -- the last of its flushes that is part of the counts
        flush bigint NOT NULL,
        flushed_at timestamptz NOT NULL DEFAULT now()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE count_flushes');
  }
}
