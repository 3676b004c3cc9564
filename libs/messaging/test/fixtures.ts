import { PATIENCE_MS } from '@weir/testing';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { LEASE_TABLE_SQL, OUTBOX_TABLE_SQL, outboxLanesSql } from '../src/index.js';

export const SOURCE = { workspaceId: '0ujtsYcgvSTl8PAuAdqWYSMnLOv', sourceId: '0ujzPyRiIAffKhBux4PvQdDqMHY' };

/** The tables that this library requires of its users. */
export class CreateMessagingTables1764000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(LEASE_TABLE_SQL);
    await runner.query(OUTBOX_TABLE_SQL);
    await runner.query(outboxLanesSql('outbox'));
  }

  async down(): Promise<void> {}
}

export const silent = { warn: () => undefined };

export async function until(probe: () => boolean | Promise<boolean>, timeoutMs = PATIENCE_MS): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await probe())) {
    if (performance.now() > end) throw new Error('it did not come to be in time');
    await new Promise((done) => setTimeout(done, 20));
  }
}
