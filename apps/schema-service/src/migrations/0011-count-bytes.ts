import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Each model has the bytes that it stores, and how often its statistics were removed. Neither column rewrites the table. The size is null
 * until the hourly recount counts it, in pieces. No index has it, because every flush would then write to all indexes.
 */
export class CountBytes1764000000011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE models ADD COLUMN stored_bytes bigint, ADD COLUMN times_emptied int NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE models DROP COLUMN stored_bytes, DROP COLUMN times_emptied');
  }
}
