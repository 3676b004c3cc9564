import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A part holds key facts of versions that one flush removed from a model. Parts are added to `models.evicted_key_facts` from time to time,
 * because that large column is rewritten as a whole.
 */
export class KeepFactParts1764000000012 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE key_fact_parts (
        id bigserial PRIMARY KEY,
        event_id uuid NOT NULL,
        facts jsonb NOT NULL
      ) WITH (autovacuum_vacuum_scale_factor = 0.01);
      CREATE INDEX key_fact_parts_by_model ON key_fact_parts (event_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE key_fact_parts');
  }
}
