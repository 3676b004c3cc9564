import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The version before stores complete configurations only, so the default holds for what it writes. */
export class CompleteDestinations1764000000005 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE destinations ADD COLUMN is_complete boolean NOT NULL DEFAULT true');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE destinations DROP COLUMN is_complete');
  }
}
