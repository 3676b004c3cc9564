import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Notifications read the notices of the last day every few seconds. */
export class FindRecentNotices1764000000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX drift_notices_recent ON drift_notices (write_key, noticed_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX drift_notices_recent');
  }
}
