import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateIdempotencyKeys1764000000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE idempotency_keys (
        workspace_id text NOT NULL,
        -- HMACs of what the caller wrote
        key bytea NOT NULL,
        fingerprint bytea NOT NULL,
        -- what was answered, in its order
        regulation_ids uuid[] NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (workspace_id, key)
      )`);
    await runner.query('CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency_keys');
  }
}
