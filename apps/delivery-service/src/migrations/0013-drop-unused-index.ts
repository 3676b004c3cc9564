import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Silences are only read and written by source, so their index by workspace cost writes and served no query. */
export class DropUnusedIndex1764000000013 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX source_silences_of_workspace');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE INDEX source_silences_of_workspace ON source_silences (workspace_id)');
  }
}
