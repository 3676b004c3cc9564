import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lists of notices by source and by kind need an index in the order of the list. A notice therefore names its source. The
 * database fills it in, because the previous release still writes notices without it.
 */
export class FindNotices1764000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE drift_notices ADD COLUMN write_key text`);
    await runner.query(`
      CREATE FUNCTION name_notice_source() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
      BEGIN
        NEW.write_key := (SELECT write_key FROM models WHERE event_id = NEW.event_id);
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER drift_notices_source BEFORE INSERT ON drift_notices
      FOR EACH ROW EXECUTE FUNCTION name_notice_source()`);
    await runner.query(`
      UPDATE drift_notices SET write_key = models.write_key FROM models WHERE models.event_id = drift_notices.event_id;
      CREATE INDEX drift_notices_by_kind ON drift_notices (kind, id);
      CREATE INDEX drift_notices_by_source ON drift_notices (write_key, id);
      CREATE INDEX drift_notices_by_source_and_kind ON drift_notices (write_key, kind, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX drift_notices_by_kind`);
    await runner.query(`DROP TRIGGER drift_notices_source ON drift_notices`);
    await runner.query(`DROP FUNCTION name_notice_source`);
    await runner.query(`ALTER TABLE drift_notices DROP COLUMN write_key`);
  }
}
