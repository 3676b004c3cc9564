import { AUDIT_OUTBOX_SQL } from '@weir/messaging';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where a workspace hears of trouble, what trouble there is, and the messages about it. */
export class CreateNotifications1764000000012 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE channels (
        workspace_id text NOT NULL,
        id text NOT NULL,
        type text NOT NULL CHECK (type IN ('webhook', 'slack', 'email')),
        name text NOT NULL,
        enabled boolean NOT NULL,
        kinds text[] NOT NULL,
        failing_percent integer NOT NULL,
        quiet_hours jsonb,
        -- addresses and secret, sealed by the gateway
        sealed_settings text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (workspace_id, id)
      )`);
    await queryRunner.query(`
      CREATE TABLE troubles (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        workspace_id text NOT NULL,
        kind text NOT NULL,
        resource_id text NOT NULL,
        -- percent from which a destination counts as failing; 0 for other kinds
        threshold integer NOT NULL DEFAULT 0,
        name text,
        count integer,
        percent integer,
        opened_at timestamptz NOT NULL DEFAULT now(),
        -- when it was last seen, or last happened
        last_at timestamptz NOT NULL,
        resolved_at timestamptz
      )`);
    await queryRunner.query(`
      CREATE UNIQUE INDEX troubles_open ON troubles (workspace_id, kind, resource_id, threshold)
      WHERE resolved_at IS NULL`);
    await queryRunner.query('CREATE INDEX troubles_of_resource ON troubles (workspace_id, kind, resource_id, last_at)');
    await queryRunner.query('CREATE INDEX troubles_listed ON troubles (workspace_id, id)');
    await queryRunner.query('CREATE INDEX troubles_age ON troubles (resolved_at) WHERE resolved_at IS NOT NULL');
    await queryRunner.query(`
      CREATE TABLE notifications (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        workspace_id text NOT NULL,
        channel_id text NOT NULL,
        -- missing for a test
        trouble_id bigint REFERENCES troubles ON DELETE CASCADE,
        what text NOT NULL CHECK (what IN ('opened', 'resolved', 'test')),
        created_at timestamptz NOT NULL DEFAULT now(),
        due_at timestamptz NOT NULL DEFAULT now(),
        attempts integer NOT NULL DEFAULT 0,
        sent_at timestamptz,
        -- sent or given up
        ended_at timestamptz,
        last_error text,
        FOREIGN KEY (workspace_id, channel_id) REFERENCES channels ON DELETE CASCADE,
        UNIQUE (trouble_id, channel_id, what)
      )`);
    await queryRunner.query('CREATE INDEX notifications_due ON notifications (due_at) WHERE ended_at IS NULL');
    await queryRunner.query('CREATE INDEX notifications_of_channel ON notifications (workspace_id, channel_id, id)');
    await queryRunner.query(`
      CREATE TABLE open_breakers (
        destination_id text PRIMARY KEY,
        workspace_id text NOT NULL,
        -- by the deliverer that owns the destination
        seen_at timestamptz NOT NULL
      )`);
    await queryRunner.query(`
      CREATE TABLE source_silences (
        source_id text PRIMARY KEY,
        workspace_id text NOT NULL,
        watched_since timestamptz NOT NULL,
        last_seen timestamptz NOT NULL,
        -- the longest silence in seconds, by day
        longest jsonb NOT NULL
      )`);
    await queryRunner.query('CREATE INDEX source_silences_of_workspace ON source_silences (workspace_id)');
    await queryRunner.query(AUDIT_OUTBOX_SQL);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'DROP TABLE notifications, troubles, channels, open_breakers, source_silences, audit_outbox',
    );
  }
}
