import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps every publish forever. A pointer shows only the current one. */
export class KeepPublications1764000000003 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE publications (
        workspace_id text NOT NULL,
        position bigint GENERATED ALWAYS AS IDENTITY,
        kind text NOT NULL CHECK (kind IN ('transformation', 'library')),
        object_id text NOT NULL,
        version_id text NOT NULL,
        -- what the caller said that the code is from
        commit_id text,
        published_by text NOT NULL,
        published_at timestamptz NOT NULL,
        PRIMARY KEY (workspace_id, version_id, position)
      )`);
    await queryRunner.query(`CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON publications
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE publications');
  }
}
