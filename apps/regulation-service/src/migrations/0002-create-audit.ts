import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateAudit1764000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit (
        workspace_id text NOT NULL,
        -- 1, 2, 3… without a gap in each workspace
        position bigint NOT NULL,
        at timestamptz NOT NULL,
        actor text NOT NULL,
        action text NOT NULL,
        regulation_id uuid NOT NULL,
        -- who it is about, as the match key; nothing here can be read as a person
        subject_hash bytea NOT NULL,
        details jsonb NOT NULL,
        previous_hash bytea NOT NULL,
        hash bytea NOT NULL,
        PRIMARY KEY (workspace_id, position)
      )`);
    await runner.query('CREATE INDEX audit_regulation ON audit (regulation_id)');
    await runner.query(`
      CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'the audit trail is append-only'; END $$`);
    await runner.query(`
      CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit');
    await runner.query('DROP FUNCTION refuse_audit_change');
  }
}
