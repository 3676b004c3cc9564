import { AUDIT_OUTBOX_SQL } from '@weir/messaging';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class NoteActs1764000000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(AUDIT_OUTBOX_SQL);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_outbox');
  }
}
