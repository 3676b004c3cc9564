import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Earlier releases searched for secrets only as they were written, and missed derived forms such as `Basic base64(user:secret)`.
 * So this deletes the stored tests. The delivery service has the rest of this migration, under the same name, because both tables
 * were in one schema when it was written.
 */
export class ClearVendorTexts1764000000009 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DELETE FROM test_runs');
  }

  async down(): Promise<void> {
    // deleted tests cannot be restored, and nothing else changed
  }
}
