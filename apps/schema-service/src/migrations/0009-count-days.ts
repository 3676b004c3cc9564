import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Shows how much each model is used, day by day. */
export class CountDays1764000000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE model_days (
        event_id uuid NOT NULL,
        -- in UTC, by the intake's clock
        day date NOT NULL,
        events bigint NOT NULL,
        PRIMARY KEY (event_id, day)
      ) WITH (fillfactor = 80);
      CREATE INDEX model_days_by_day ON model_days (day)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE model_days');
  }
}
