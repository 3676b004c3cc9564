import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RememberPepper1764000000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Holds one row: the fingerprint of the pepper that made the match keys of this database. It does not reveal the pepper.
    await runner.query(`
      CREATE TABLE pepper_fingerprint (
        is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
        fingerprint text NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE pepper_fingerprint');
  }
}
