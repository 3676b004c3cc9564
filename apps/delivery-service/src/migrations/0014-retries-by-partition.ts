import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which partition a retry belongs to. Missing in rows of the version before, which knew only the destination. */
export class RetriesByPartition1764000000014 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE retrying_deliveries ADD COLUMN partition integer');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE retrying_deliveries DROP COLUMN partition');
  }
}
