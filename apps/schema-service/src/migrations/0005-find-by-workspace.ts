import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Callers of a workspace see its models and notices alone, so these lists need indexes that begin with the workspace. The database
 * names a notice's workspace too, because the previous release does not.
 */
export class FindByWorkspace1764000000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX models_in_workspace ON models (workspace_id, id);
      CREATE INDEX models_in_workspace_by_source ON models (workspace_id, write_key, id)`);
    await runner.query(`ALTER TABLE drift_notices ADD COLUMN workspace_id text`);
    await runner.query(`
      CREATE OR REPLACE FUNCTION name_notice_source() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
      BEGIN
        SELECT write_key, workspace_id INTO NEW.write_key, NEW.workspace_id FROM models WHERE event_id = NEW.event_id;
        RETURN NEW;
      END $$`);
    await runner.query(`
      UPDATE drift_notices SET workspace_id = models.workspace_id FROM models WHERE models.event_id = drift_notices.event_id;
      CREATE INDEX drift_notices_in_workspace ON drift_notices (workspace_id, id);
      CREATE INDEX drift_notices_in_workspace_by_kind ON drift_notices (workspace_id, kind, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION name_notice_source() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
      BEGIN
        NEW.write_key := (SELECT write_key FROM models WHERE event_id = NEW.event_id);
        RETURN NEW;
      END $$`);
    await runner.query(`ALTER TABLE drift_notices DROP COLUMN workspace_id`);
    await runner.query(`DROP INDEX models_in_workspace_by_source, models_in_workspace`);
  }
}
