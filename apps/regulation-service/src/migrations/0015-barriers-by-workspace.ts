import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which workspace a barrier belongs to. Services of the version before insert barriers without one. */
export class BarriersByWorkspace1764000000015 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE deletion_barriers ADD COLUMN workspace_id text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE deletion_barriers DROP COLUMN workspace_id');
  }
}
