import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An act of a person arrives at least once, and joins the trail once. Entries of regulations have no act. */
export class FindActs1764000000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE UNIQUE INDEX audit_act ON audit (workspace_id, (details ->> 'actId')) WHERE details ->> 'actId' IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX audit_act');
  }
}
