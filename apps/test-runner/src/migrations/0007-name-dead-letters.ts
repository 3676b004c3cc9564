import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * By what people tell an event, in columns of their own: reading a part of a json value parses all of it, and fails where
 * that holds a NUL. Rows of releases before have no names; whoever reads them takes those out of the event.
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
