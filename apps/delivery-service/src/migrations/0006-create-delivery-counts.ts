import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateDeliveryCounts1764000000006 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE delivery_counts (
        workspace_id text NOT NULL,
        destination_id text NOT NULL,
        hour timestamptz NOT NULL,
        -- an outcome, or latency.<n>: deliveries that took up to 1.2^n ms
        name text NOT NULL,
        events bigint NOT NULL,
        PRIMARY KEY (workspace_id, destination_id, hour, name)
      )`);
    await queryRunner.query('CREATE INDEX delivery_counts_age ON delivery_counts (hour)');
    await queryRunner.query(`
      CREATE TABLE retrying_deliveries (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        workspace_id text NOT NULL,
        destination_id text NOT NULL,
        source_id text NOT NULL,
        event_key text NOT NULL,
        message_id text,
        event_type text,
        event_name text,
        reason text NOT NULL,
        status integer,
        attempts integer NOT NULL,
        received_at timestamptz NOT NULL,
        last_attempt_at timestamptz NOT NULL,
        next_attempt_at timestamptz NOT NULL,
        UNIQUE (destination_id, event_key)
      )`);
    await queryRunner.query('CREATE INDEX retrying_deliveries_listed ON retrying_deliveries (workspace_id, id)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE delivery_counts, retrying_deliveries');
  }
}
