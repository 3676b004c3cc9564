import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateUsedVersions1764000000002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE used_versions (
        workspace_id text NOT NULL,
        destination_id text NOT NULL,
        -- the process that ran the code
        deliverer text NOT NULL,
        version_id text NOT NULL,
        last_used_at timestamptz NOT NULL,
        PRIMARY KEY (workspace_id, destination_id, deliverer)
      )`);
    await queryRunner.query('CREATE INDEX used_versions_age ON used_versions (last_used_at)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE used_versions');
  }
}
