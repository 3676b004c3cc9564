import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds old minutes to remove, and the latest ones of any workspace, without reading the table. */
export class AttemptsByAge1764000000023 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // processes that never ran for an hour removed nothing
    await runner.query('SET LOCAL statement_timeout = 0');
    await runner.query('CREATE INDEX attempt_minutes_age ON attempt_minutes (minute)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX attempt_minutes_age');
  }
}
