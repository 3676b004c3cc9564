import type { Transaction } from '@weir/service-kit';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addDays } from '../days/day-partitions.js';

const COLUMNS = `id, workspace_id, destination_id, source_id, event_key, output, stage, reason, status, attempts, event,
  match_keys, received_at, created_at, replay_at, message_id, event_type, event_name`;
/** The days that are kept, and a week ahead in case the previous version keeps running. */
const [DAYS_BACK, DAYS_AHEAD] = [30, 7];

/** Divides dead letters into one partition per day, so that old ones are dropped instead of deleted row by row. */
export class DeadLettersByDay1764000000008 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // moving two million rows takes about a minute
    await queryRunner.query('SET LOCAL statement_timeout = 0');
    await queryRunner.query('ALTER TABLE dead_letters RENAME TO dead_letters_undivided');
    await queryRunner.query('DROP INDEX dead_letters_listed, dead_letters_match, dead_letters_age');
    await queryRunner.query('DROP INDEX dead_letters_event, dead_letters_replay');
    await queryRunner.query('ALTER TABLE dead_letters_undivided DROP CONSTRAINT dead_letters_pkey');
    await queryRunner.query('CREATE SEQUENCE dead_letter_ids');
    await queryRunner.query(`
      CREATE TABLE dead_letters (
        -- when it was written, UTC
        day date NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')::date,
        id bigint NOT NULL DEFAULT nextval('dead_letter_ids'),
        workspace_id text NOT NULL,
        destination_id text NOT NULL,
        source_id text NOT NULL,
        -- names the event of the batch, with the output of its code; a redelivered message is not written twice
        event_key text NOT NULL,
        output integer,
        stage text NOT NULL CHECK (stage IN ('queue', 'user_transform', 'dest_transform', 'delivery')),
        reason text NOT NULL,
        -- of the last answer, where there was one
        status integer,
        attempts integer NOT NULL,
        -- what lists show of the event; missing where a release before wrote it
        message_id text,
        event_type text,
        event_name text,
        -- as it was accepted, before any transformation; json, not jsonb: it may hold what jsonb refuses (a NUL)
        event json NOT NULL,
        -- by which regulations find it: name=value
        match_keys text[] NOT NULL,
        received_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        -- asked for: the deliverer sends it again
        replay_at timestamptz
      ) PARTITION BY RANGE (day)`);
    await queryRunner.query('ALTER SEQUENCE dead_letter_ids OWNED BY dead_letters.id');
    await addDays(queryRunner.manager as Transaction, 'dead_letters', -DAYS_BACK, DAYS_AHEAD);
    await queryRunner.query(
      `INSERT INTO dead_letters (${COLUMNS}, day) SELECT ${COLUMNS}, (created_at AT TIME ZONE 'UTC')::date
       FROM dead_letters_undivided WHERE (created_at AT TIME ZONE 'UTC')::date >= (now() AT TIME ZONE 'UTC')::date - $1::int`,
      [DAYS_BACK],
    );
    await queryRunner.query(
      `SELECT setval('dead_letter_ids', (SELECT coalesce(max(id), 0) + 1 FROM dead_letters_undivided), false)`,
    );
    await queryRunner.query('DROP TABLE dead_letters_undivided');
    await queryRunner.query('ALTER TABLE dead_letters ADD PRIMARY KEY (id, day)');
    await queryRunner.query(
      'CREATE UNIQUE INDEX dead_letters_event ON dead_letters (destination_id, event_key, coalesce(output, -1), day)',
    );
    await queryRunner.query('CREATE INDEX dead_letters_listed ON dead_letters (workspace_id, id)');
    await queryRunner.query('CREATE INDEX dead_letters_destination ON dead_letters (destination_id, id)');
    await queryRunner.query(
      'CREATE INDEX dead_letters_replay ON dead_letters (replay_at, id) WHERE replay_at IS NOT NULL',
    );
    await queryRunner.query(
      'CREATE INDEX dead_letters_replay_to ON dead_letters (destination_id, id) WHERE replay_at IS NOT NULL',
    );
    await queryRunner.query('CREATE INDEX dead_letters_match ON dead_letters USING gin (match_keys)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('SET LOCAL statement_timeout = 0');
    await queryRunner.query('ALTER TABLE dead_letters RENAME TO dead_letters_by_day');
    await queryRunner.query('ALTER TABLE dead_letters_by_day DROP CONSTRAINT dead_letters_pkey');
    await queryRunner.query(
      'DROP INDEX dead_letters_listed, dead_letters_match, dead_letters_event, dead_letters_replay',
    );
    await queryRunner.query(`
      CREATE TABLE dead_letters (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        workspace_id text NOT NULL,
        destination_id text NOT NULL,
        source_id text NOT NULL,
        event_key text NOT NULL,
        stage text NOT NULL CHECK (stage IN ('queue', 'user_transform', 'dest_transform', 'delivery')),
        reason text NOT NULL,
        status integer,
        attempts integer NOT NULL,
        event json NOT NULL,
        match_keys text[] NOT NULL,
        received_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        output integer,
        replay_at timestamptz,
        message_id text,
        event_type text,
        event_name text
      )`);
    await queryRunner.query(
      'CREATE UNIQUE INDEX dead_letters_event ON dead_letters (destination_id, event_key, coalesce(output, -1))',
    );
    await queryRunner.query(
      `INSERT INTO dead_letters (${COLUMNS}) OVERRIDING SYSTEM VALUE
       SELECT ${COLUMNS} FROM dead_letters_by_day ORDER BY id ON CONFLICT DO NOTHING`,
    );
    await queryRunner.query(
      `SELECT setval(pg_get_serial_sequence('dead_letters', 'id'), (SELECT coalesce(max(id), 0) + 1 FROM dead_letters), false)`,
    );
    await queryRunner.query('DROP TABLE dead_letters_by_day');
    await queryRunner.query('CREATE INDEX dead_letters_listed ON dead_letters (workspace_id, destination_id, id)');
    await queryRunner.query('CREATE INDEX dead_letters_match ON dead_letters USING gin (match_keys)');
    await queryRunner.query('CREATE INDEX dead_letters_age ON dead_letters (created_at)');
    await queryRunner.query(
      'CREATE INDEX dead_letters_replay ON dead_letters (destination_id, id) WHERE replay_at IS NOT NULL',
    );
  }
}
