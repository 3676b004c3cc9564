import type { MigrationInterface, QueryRunner } from 'typeorm';

export class OperatorSessions1764000000011 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE operator_sessions (
        -- SHA-256 of the secret, which the browser alone holds, and of the admin pair that signed in
        session_hash bytea PRIMARY KEY,
        last_seen_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE operator_sessions');
  }
}
