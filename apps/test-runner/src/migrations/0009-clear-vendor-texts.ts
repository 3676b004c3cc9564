import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Long words with a digit, a `_` or a capital within, and any that are longer than words are: keys, tokens, Base64. */
const TOKEN = '[A-Za-z0-9_+/=.~%-]';
const TOKENS = `(?=${TOKEN}{8})[A-Za-z+/=.~%-]*(?:[0-9_]|[a-z][A-Z])${TOKEN}*|${TOKEN}{24,}`;

/**
 * Releases before looked for secrets as they were written, not for what became of them on the way, such as
 * `Basic base64(user:secret)`. So what they kept of tests goes, and answers of destinations lose what may be a secret.
 */
export class ClearVendorTexts1764000000009 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // as many rows as failed within 30 days
    await queryRunner.query('SET LOCAL statement_timeout = 0');
    await queryRunner.query('DELETE FROM test_runs');
    // written again with the next attempt.
    await queryRunner.query('DELETE FROM retrying_deliveries');
    await queryRunner.query(
      `UPDATE dead_letters SET reason = regexp_replace(reason, $1, '***', 'g') WHERE stage = 'delivery' AND reason ~ $1`,
      [TOKENS],
    );
  }

  async down(): Promise<void> {
    // What was cleared does not come back, and nothing else changed.
  }
}
