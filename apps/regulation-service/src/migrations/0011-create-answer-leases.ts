import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which processes may use answers about suppressions again, and until when. */
export class CreateAnswerLeases1764000000011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE answer_leases (
        holder uuid PRIMARY KEY,
        expires_at timestamptz NOT NULL,
        -- its holder did not answer in time: the lease may only run out
        is_revoked boolean NOT NULL DEFAULT false
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE answer_leases');
  }
}
