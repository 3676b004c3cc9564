import { OUTBOX_TABLE_SQL } from '@weir/messaging';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateInventory1764000000002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE sources (
        id text PRIMARY KEY,
        workspace_id text NOT NULL REFERENCES workspaces (id),
        name text NOT NULL,
        type text NOT NULL,
        write_key text NOT NULL UNIQUE,
        enabled boolean NOT NULL,
        -- json, not jsonb: it round-trips exactly as it came
        config json NOT NULL,
        geo_enrichment_enabled boolean NOT NULL,
        transient boolean NOT NULL,
        external_id text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (workspace_id, id),
        CONSTRAINT sources_name UNIQUE (workspace_id, name),
        CONSTRAINT sources_external_id UNIQUE (workspace_id, external_id)
      )`);
    await queryRunner.query(`
      CREATE TABLE destinations (
        id text PRIMARY KEY,
        workspace_id text NOT NULL REFERENCES workspaces (id),
        name text NOT NULL,
        type text NOT NULL,
        enabled boolean NOT NULL,
        -- service-kit Sealer, tied to workspace and id
        sealed_config text NOT NULL,
        external_id text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (workspace_id, id),
        CONSTRAINT destinations_name UNIQUE (workspace_id, name),
        CONSTRAINT destinations_external_id UNIQUE (workspace_id, external_id)
      )`);
    // composite keys: a connection cannot cross workspaces
    await queryRunner.query(`
      CREATE TABLE connections (
        id text PRIMARY KEY,
        workspace_id text NOT NULL,
        source_id text NOT NULL,
        destination_id text NOT NULL,
        enabled boolean NOT NULL,
        external_id text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        FOREIGN KEY (workspace_id, source_id) REFERENCES sources (workspace_id, id),
        FOREIGN KEY (workspace_id, destination_id) REFERENCES destinations (workspace_id, id),
        CONSTRAINT connections_pair UNIQUE (source_id, destination_id),
        CONSTRAINT connections_external_id UNIQUE (workspace_id, external_id)
      )`);
    await queryRunner.query('CREATE INDEX connections_destination ON connections (workspace_id, destination_id)');
    for (const table of ['sources', 'destinations', 'connections']) {
      await queryRunner.query(`CREATE INDEX ${table}_listed ON ${table} (workspace_id, created_at, id)`);
    }
    await queryRunner.query(OUTBOX_TABLE_SQL);
    await queryRunner.query(`
      CREATE TABLE destination_cleanups (
        destination_id text PRIMARY KEY,
        workspace_id text NOT NULL,
        -- when the next attempt is due
        due_at timestamptz NOT NULL DEFAULT now(),
        attempts integer NOT NULL DEFAULT 0
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['destination_cleanups', 'outbox', 'connections', 'destinations', 'sources']) {
      await queryRunner.query(`DROP TABLE ${table}`);
    }
  }
}
