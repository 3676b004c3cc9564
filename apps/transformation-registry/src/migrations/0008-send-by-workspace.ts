import { outboxLanesSql } from '@weir/messaging';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Relays send the rows of each workspace on their own. */
export class SendByWorkspace1764000000008 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(outboxLanesSql('outbox'));
    await runner.query(outboxLanesSql('audit_outbox'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX outbox_lanes, audit_outbox_lanes');
  }
}
