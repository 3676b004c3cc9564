import type { MigrationInterface, QueryRunner } from 'typeorm';
import { timestampSql } from '../sql/timestamp.js';

/**
 * `evicted_key_facts` replaces `evicted_key_counts`. A later release drops the old column, because the previous release still
 * writes it. Parts are written once, read a few times and deleted. Compressing them or checking their model again would only cost
 * time. The flush holds the model's lock, and models are never deleted.
 */
export class KeepPartsAndNotices1764000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE statistics_parts (
        id bigserial PRIMARY KEY,
        event_id uuid NOT NULL,
        version_id uuid,
        frequent_values text NOT NULL,
        samples text NOT NULL
      ) WITH (autovacuum_vacuum_scale_factor = 0.01);
      ALTER TABLE statistics_parts
        ALTER frequent_values SET STORAGE EXTERNAL, ALTER samples SET STORAGE EXTERNAL;
      CREATE INDEX statistics_parts_by_model ON statistics_parts (event_id, id);

      ALTER TABLE models
        ADD COLUMN pending_parts int NOT NULL DEFAULT 0,
        ADD COLUMN evicted_key_facts jsonb NOT NULL DEFAULT '{}';
      UPDATE models SET evicted_key_facts = (
        SELECT jsonb_object_agg(key, jsonb_build_object('events', value::bigint, 'types', '{}'::jsonb,
          'firstSeen', ${timestampSql('created_at')}, 'lastSeen', ${timestampSql('last_seen')}))
        FROM jsonb_each_text(evicted_key_counts)
      ) WHERE evicted_key_counts <> '{}';

      CREATE TABLE drift_notices (
        id bigserial PRIMARY KEY,
        event_id uuid NOT NULL REFERENCES models,
        kind text NOT NULL,
        version_id uuid,
        keys text[] NOT NULL,
        types_before text,
        types_after text,
        noticed_at timestamptz NOT NULL
      );
      CREATE INDEX drift_notices_by_model ON drift_notices (event_id, id);

      CREATE TABLE source_privacy (
        write_key text PRIMARY KEY,
        samples text NOT NULL,
        masked_keys text[] NOT NULL,
        updated_at timestamptz NOT NULL DEFAULT now()
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE statistics_parts, drift_notices, source_privacy;
      ALTER TABLE models DROP COLUMN pending_parts, DROP COLUMN evicted_key_facts;
    `);
  }
}
