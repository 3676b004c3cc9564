import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A replay needs the event and which output of its code was lost, so both get their own column. */
export class DeadLetterOutputs1764000000004 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE dead_letters ADD COLUMN output integer');
    await queryRunner.query('ALTER TABLE dead_letters DROP CONSTRAINT dead_letters_destination_id_event_key_key');
    await queryRunner.query(
      'CREATE UNIQUE INDEX dead_letters_event ON dead_letters (destination_id, event_key, coalesce(output, -1))',
    );
    // set when a replay is requested
    await queryRunner.query('ALTER TABLE dead_letters ADD COLUMN replay_at timestamptz');
    await queryRunner.query(
      'CREATE INDEX dead_letters_replay ON dead_letters (destination_id, id) WHERE replay_at IS NOT NULL',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX dead_letters_replay, dead_letters_event');
    await queryRunner.query('ALTER TABLE dead_letters DROP COLUMN output, DROP COLUMN replay_at');
    await queryRunner.query(
      'ALTER TABLE dead_letters ADD CONSTRAINT dead_letters_destination_id_event_key_key UNIQUE (destination_id, event_key)',
    );
  }
}
