import type { MigrationInterface, QueryRunner } from 'typeorm';

export class IndexRegulations1764000000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // For the filters of the list: by user, and for regulations that are rare among millions of suppressions.
    await runner.query('CREATE INDEX regulations_user ON regulations (workspace_id, user_key, seq)');
    await runner.query(
      'CREATE INDEX regulations_canceled ON regulations (workspace_id, seq) WHERE canceled_at IS NOT NULL',
    );
    await runner.query(`
      CREATE INDEX regulations_with_delete ON regulations (workspace_id, seq)
      WHERE regulation_type = 'suppress_with_delete'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX regulations_user, regulations_canceled, regulations_with_delete');
  }
}
