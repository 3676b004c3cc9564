import type { MigrationInterface, QueryRunner } from 'typeorm';

/** State that deletions of users need: their progress, the purged users, and fences against late messages. */
export class FollowUsers1764000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Holds one row: the fingerprint of the pepper that made the keys of this database. It does not reveal the pepper.
    await runner.query(`
      CREATE TABLE pepper_fingerprint (
        is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
        fingerprint text NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE purges (
        -- HMAC of the deletion and its users
        name text PRIMARY KEY,
        -- models, then dead letters up to here are purged
        model_place uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
        letter_place bigint NOT NULL DEFAULT 0,
        done boolean NOT NULL DEFAULT false,
        begun_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX purges_by_time ON purges (begun_at)`);
    await runner.query(`
      CREATE TABLE purged_users (
        -- HMAC of workspace and user id
        user_key text PRIMARY KEY,
        purged_at timestamptz NOT NULL
      );
      CREATE INDEX purged_users_by_time ON purged_users (purged_at)`);
    // Messages that the filter wrote in an earlier epoch are late. Their users may have been purged in the meantime.
    await runner.query(`CREATE TABLE fences (partition integer PRIMARY KEY, epoch bigint NOT NULL)`);
    await runner.query(`
      CREATE INDEX dead_letters_by_workspace ON dead_letters (split_part(subject, '.', 4), id) WHERE body IS NOT NULL`);
    // Null if nothing of the source is being removed. Otherwise models up to this id are already empty.
    await runner.query(`
      ALTER TABLE source_privacy ADD COLUMN forgotten_up_to uuid;
      CREATE INDEX source_privacy_forgetting ON source_privacy (write_key) WHERE forgotten_up_to IS NOT NULL;
      CREATE INDEX models_by_source ON models (write_key, event_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX models_by_source, source_privacy_forgetting, dead_letters_by_workspace;
      ALTER TABLE source_privacy DROP COLUMN forgotten_up_to;
      DROP TABLE fences, purged_users, purges, pepper_fingerprint`);
  }
}
