import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateSavedTests1764000000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE saved_tests (
        workspace_id text NOT NULL,
        transformation_id text NOT NULL,
        tests jsonb NOT NULL,
        updated_by text NOT NULL,
        updated_at timestamptz NOT NULL,
        PRIMARY KEY (workspace_id, transformation_id),
        FOREIGN KEY (workspace_id, transformation_id) REFERENCES transformations (workspace_id, id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE saved_tests');
  }
}
