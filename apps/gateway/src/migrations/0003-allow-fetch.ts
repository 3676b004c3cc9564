import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AllowFetch1764000000003 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE workspaces ADD COLUMN allow_fetch boolean NOT NULL DEFAULT false');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE workspaces DROP COLUMN allow_fetch');
  }
}
