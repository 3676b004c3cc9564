import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Says of live code whether it keeps state. A library can change that, so it belongs to the pointer and not to the revision. */
export class KeepRuntimes1764000000005 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- both null for code that was published before
      ALTER TABLE published_transformations
        ADD COLUMN runtime text CHECK (runtime IN ('warm', 'fresh')),
        ADD COLUMN runtime_reason text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE published_transformations DROP COLUMN runtime, DROP COLUMN runtime_reason');
  }
}
