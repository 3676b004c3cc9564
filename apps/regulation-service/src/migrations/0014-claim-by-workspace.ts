import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The eraser takes the tasks of one workspace and destination at a time. The index by destination stays for erasers of the version
 * before.
 */
export class ClaimByWorkspace1764000000014 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX deletion_tasks_due_by_workspace ON deletion_tasks (workspace_id, destination_id, due_at, id)
      WHERE due_at IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX deletion_tasks_due_by_workspace');
  }
}
