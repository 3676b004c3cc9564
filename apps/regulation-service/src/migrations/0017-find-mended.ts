import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deletions that failed with another configuration than the one of now, among any number that failed with this one. */
export class FindMended1764000000017 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX deletion_tasks_failed ON deletion_tasks (destination_id, config_mark, due_at) WHERE status = 'failed'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX deletion_tasks_failed');
  }
}
