import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateWorkspaces1764000000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE workspaces (
        id text PRIMARY KEY,
        name text NOT NULL,
        -- the one that BOOTSTRAP_ACCESS_TOKEN opens
        is_bootstrap boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      )`);
    await queryRunner.query('CREATE UNIQUE INDEX workspaces_bootstrap ON workspaces (is_bootstrap) WHERE is_bootstrap');
    await queryRunner.query(`
      CREATE TABLE access_tokens (
        id text PRIMARY KEY,
        workspace_id text NOT NULL REFERENCES workspaces (id),
        email text NOT NULL,
        name text NOT NULL,
        role text NOT NULL CHECK (role IN ('read-only', 'read-write', 'admin')),
        -- SHA-256; the token itself is shown once and kept nowhere
        token_hash bytea NOT NULL UNIQUE,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz,
        last_used_at timestamptz,
        -- a revoked row stays, so that a restart does not bring a revoked bootstrap token back
        revoked_at timestamptz
      )`);
    await queryRunner.query(
      'CREATE INDEX access_tokens_workspace ON access_tokens (workspace_id, created_at, id) WHERE revoked_at IS NULL',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE access_tokens');
    await queryRunner.query('DROP TABLE workspaces');
  }
}
