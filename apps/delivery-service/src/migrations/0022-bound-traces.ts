import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counts the bytes of traces by workspace. `trace_sizes` counts them by source, for deliverers of the release before. A later
 * migration can drop it.
 */
export class BoundTraces1764000000022 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE trace_day_sizes (
        day date NOT NULL,
        workspace_id text NOT NULL,
        bytes bigint NOT NULL,
        PRIMARY KEY (day, workspace_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE trace_day_sizes');
  }
}
