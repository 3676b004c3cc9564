import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RememberPepper1764000000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // One row: which pepper the match keys of this database are made with. It does not tell the pepper.
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
