import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateCredentials1764000000002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE credentials (
        workspace_id text NOT NULL,
        key text NOT NULL,
        is_secret boolean NOT NULL,
        -- by the gateway, bound to workspace and key: nothing here can open it
        sealed_value text NOT NULL,
        created_by text NOT NULL,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        PRIMARY KEY (workspace_id, key)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE credentials');
  }
}
