import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the dead letters of a workspace by the end of their subjects, because some have a size before it. */
export class FindLetters1764000000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX dead_letters_of_workspace ON dead_letters (split_part(subject, '.', -2), id) WHERE body IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX dead_letters_of_workspace');
  }
}
