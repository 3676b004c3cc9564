import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Write keys of deleted sources. An admin may choose a write key, but never one that another workspace had. */
export class KeepWriteKeys1764000000008 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE TABLE former_write_keys (write_key text PRIMARY KEY, workspace_id text NOT NULL)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE former_write_keys');
  }
}
