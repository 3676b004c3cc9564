import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateBudgets1764000000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Tokens that each workspace has used of its hour. In the database, replicas share them and a rollback returns them.
    await runner.query(`
      CREATE TABLE budgets (
        workspace_id text NOT NULL,
        name text NOT NULL CHECK (name IN ('suppression', 'deletion')),
        window_started_at timestamptz NOT NULL,
        used bigint NOT NULL,
        PRIMARY KEY (workspace_id, name)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE budgets');
  }
}
