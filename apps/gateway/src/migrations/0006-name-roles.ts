import type { MigrationInterface, QueryRunner } from 'typeorm';

const check = (roles: string) => `
  ALTER TABLE access_tokens DROP CONSTRAINT access_tokens_role_check,
    ADD CONSTRAINT access_tokens_role_check CHECK (role IN (${roles}))`;

/** Allows new roles beside the earlier names. A gateway of the version before keeps working for the tokens that it knows. */
export class NameRoles1764000000006 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(check(`'admin', 'write', 'read', 'privacy', 'publish', 'read-write', 'read-only'`));
  }

  /** Fails while a token has one of the new roles, because none of the earlier roles means the same. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(check(`'read-only', 'read-write', 'admin'`));
  }
}
