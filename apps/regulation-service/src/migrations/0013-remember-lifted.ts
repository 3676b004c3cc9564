import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Up to when events count as suppressed that came in before their user's suppression was lifted, and are read later. */
export class RememberLifted1764000000013 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE lifted_suppressions (
        user_key bytea NOT NULL,
        source_id text NOT NULL,
        lifted_at timestamptz NOT NULL,
        PRIMARY KEY (user_key, source_id)
      );
      CREATE INDEX lifted_suppressions_by_time ON lifted_suppressions (lifted_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE lifted_suppressions');
  }
}
