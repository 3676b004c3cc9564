import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds columns for the names that lists show. Reading a field of a json value parses the whole value, and fails if it contains a
 * NUL. Rows of earlier releases stay without names, and readers take them from the event.
 */
export class NameDeadLetters1764000000007 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE dead_letters ADD COLUMN message_id text, ADD COLUMN event_type text, ADD COLUMN event_name text',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE dead_letters DROP COLUMN message_id, DROP COLUMN event_type, DROP COLUMN event_name',
    );
  }
}
