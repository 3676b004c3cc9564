import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ConsoleSessions1764000000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE console_sessions (
        id text PRIMARY KEY,
        -- SHA-256; the browser alone holds the secret
        session_hash bytea NOT NULL UNIQUE,
        workspace_id text NOT NULL REFERENCES workspaces (id),
        -- the token that signed in; null for a person of the identity provider
        token_id text REFERENCES access_tokens (id),
        email text NOT NULL,
        role text NOT NULL,
        method text NOT NULL CHECK (method IN ('link', 'token', 'oidc')),
        user_agent text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        last_seen_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL
      )`);
    await queryRunner.query(
      'CREATE INDEX console_sessions_workspace ON console_sessions (workspace_id, created_at, id)',
    );
    await queryRunner.query('CREATE INDEX console_sessions_expiry ON console_sessions (expires_at)');
    await queryRunner.query(`
      CREATE TABLE console_links (
        -- SHA-256 of the code
        code_hash bytea PRIMARY KEY,
        token_id text NOT NULL REFERENCES access_tokens (id),
        expires_at timestamptz NOT NULL
      )`);
    await queryRunner.query('CREATE INDEX console_links_token ON console_links (token_id)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE console_links');
    await queryRunner.query('DROP TABLE console_sessions');
  }
}
