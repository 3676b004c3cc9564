import type { MigrationInterface, QueryRunner } from 'typeorm';

/** New sources mask their samples. Sources from before go on as their users know them, until somebody changes that. */
export class KeepSamplesShown1764000000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      INSERT INTO source_privacy (write_key, samples, masked_keys)
      SELECT DISTINCT write_key, 'keep', '{}'::text[] FROM models
      ON CONFLICT (write_key) DO NOTHING`);
  }

  /** Says what the version before assumes anyway. */
  async down(): Promise<void> {}
}
