import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Models at which the walk of a purge failed. It goes on with the others, and comes back to these. A process of the release before does not
 * know them, so the table refuses to end a purge that has some.
 */
export class KeepFailedPurges1764000000013 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE purges ADD COLUMN failed_models uuid[] NOT NULL DEFAULT '{}',
         ADD CONSTRAINT purges_ended_clean CHECK (NOT done OR failed_models = '{}')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE purges DROP COLUMN failed_models');
  }
}
