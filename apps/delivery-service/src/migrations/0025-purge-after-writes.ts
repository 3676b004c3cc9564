import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A process of the release before asks for a purge without a time, and its purge has to wait for the writes that are under way too. */
export class PurgeAfterWrites1764000000025 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE archive_purges ALTER COLUMN next_at SET DEFAULT now() + interval '15 seconds'`, // WRITES_END_MS
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE archive_purges ALTER COLUMN next_at SET DEFAULT now()');
  }
}
