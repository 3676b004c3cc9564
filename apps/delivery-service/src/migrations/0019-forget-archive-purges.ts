import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a purge was last asked for. Nobody needs the identifiers of one that is not asked for any more. */
export class ForgetArchivePurges1764000000019 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE archive_purges ADD COLUMN asked_at timestamptz NOT NULL DEFAULT now()');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE archive_purges DROP COLUMN asked_at');
  }
}
