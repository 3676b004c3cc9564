import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Models at which the walk of a purge failed. It goes on with the others, and comes back to these. */
export class KeepFailedPurges1764000000013 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE purges ADD COLUMN failed_models uuid[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE purges DROP COLUMN failed_models');
  }
}
