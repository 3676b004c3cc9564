import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Over how many partitions a source is spread. A gateway of the version before writes rows without it. */
export class SpreadSources1764000000012 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE sources ADD COLUMN partitions integer NOT NULL DEFAULT 1
        CONSTRAINT sources_partitions CHECK (partitions BETWEEN 1 AND 16)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE sources DROP COLUMN partitions');
  }
}
