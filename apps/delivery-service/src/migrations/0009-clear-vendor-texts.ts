import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Matches likely keys, tokens and Base64. These are words of 8 characters or more with a digit, `_` or inner capital. Words of 24
 * or more always match.
 */
const TOKEN = '[A-Za-z0-9_+/=.~%-]';
const TOKENS = `(?=${TOKEN}{8})[A-Za-z+/=.~%-]*(?:[0-9_]|[a-z][A-Z])${TOKEN}*|${TOKEN}{24,}`;

/**
 * Earlier releases searched for secrets only as they were written, and missed derived forms such as `Basic base64(user:secret)`.
 * So this masks possible secrets in the answers of destinations. The test runner deletes its stored tests under the same name.
 */
export class ClearVendorTexts1764000000009 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // the update touches every delivery that failed within 30 days
    await queryRunner.query('SET LOCAL statement_timeout = 0');
    // the next attempt writes the row again
    await queryRunner.query('DELETE FROM retrying_deliveries');
    await queryRunner.query(
      `UPDATE dead_letters SET reason = regexp_replace(reason, $1, '***', 'g') WHERE stage = 'delivery' AND reason ~ $1`,
      [TOKENS],
    );
  }

  async down(): Promise<void> {
    // cleared texts cannot be restored, and nothing else changed
  }
}
