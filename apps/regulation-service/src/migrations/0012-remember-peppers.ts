import { PEPPERS_TABLE_SQL } from '@weir/service-kit';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The pepper can be replaced, so there may be several. */
export class RememberPeppers1764000000012 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(PEPPERS_TABLE_SQL);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE peppers');
  }
}
