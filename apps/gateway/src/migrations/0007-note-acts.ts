import { AUDIT_OUTBOX_SQL } from '@weir/messaging';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class NoteActs1764000000007 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(AUDIT_OUTBOX_SQL);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE audit_outbox');
  }
}
