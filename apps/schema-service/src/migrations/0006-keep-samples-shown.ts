import type { MigrationInterface, QueryRunner } from 'typeorm';

/** New sources mask their samples. Existing sources keep showing them until a user changes the setting. */
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
