import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateDeadLetters1764000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Messages of EVENTS_RAW that are not batches. They can neither pass nor be matched.
    await runner.query(`
      CREATE TABLE dead_letters (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        subject text NOT NULL,
        sequence bigint NOT NULL,
        reason text NOT NULL,
        -- the message's bytes, sealed: nobody knows whose data they hold
        payload text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE dead_letters');
  }
}
