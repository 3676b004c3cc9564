import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Bounds what a workspace's dead letters take, and keeps events of deleted users out of what is written late. */
export class BoundDeadLetters1764000000020 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // missing where the workspace had used up its bytes of the day
    await queryRunner.query('ALTER TABLE dead_letters ALTER COLUMN event DROP NOT NULL');
    await queryRunner.query(`
      CREATE TABLE dead_letter_sizes (
        day date NOT NULL,
        workspace_id text NOT NULL,
        bytes bigint NOT NULL,
        PRIMARY KEY (day, workspace_id)
      )`);
    await queryRunner.query(`
      CREATE TABLE purged_users (
        workspace_id text NOT NULL,
        -- digest of an identifier, as in traces
        match_key bigint NOT NULL,
        purged_at timestamptz NOT NULL,
        PRIMARY KEY (workspace_id, match_key)
      )`);
    await queryRunner.query('CREATE INDEX purged_users_last ON purged_users (workspace_id, purged_at)');
    // dead_letters_replay_to serves every statement that looks for marked letters
    await queryRunner.query('DROP INDEX dead_letters_replay');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('SET LOCAL statement_timeout = 0');
    await queryRunner.query(
      'CREATE INDEX dead_letters_replay ON dead_letters (replay_at, id) WHERE replay_at IS NOT NULL',
    );
    await queryRunner.query('DROP TABLE purged_users, dead_letter_sizes');
    // the release before sends every letter with its event
    await queryRunner.query('DELETE FROM dead_letters WHERE event IS NULL');
    await queryRunner.query('ALTER TABLE dead_letters ALTER COLUMN event SET NOT NULL');
  }
}
