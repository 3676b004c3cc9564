import { Injectable } from '@nestjs/common';
import { chunksOf, identifiersOf, type JsonObject, storableText } from '@weir/contracts';
import { inPieces } from '@weir/messaging';
import { Database } from '@weir/service-kit';
import {
  type DeadLetterStage,
  type DeliveryUnit,
  eventKeyOf,
  eventNamesOf,
  type Failure,
  originalOf,
} from '../units/delivery-unit.js';
import { DeadLetterDays } from './dead-letter-days.js';

export interface DeadLetter {
  workspaceId: string;
  destinationId: string;
  sourceId: string;
  /** Identifies the event for its destination, and stays the same after a redelivery. */
  eventKey: string;
  /** Position among the events that user code returned. Missing if the event did not get past the code. */
  output?: number | undefined;
  stage: DeadLetterStage;
  reason: string;
  status?: number | undefined;
  attempts: number;
  /** The event as accepted, before any transformation. */
  event: JsonObject;
  receivedAt: string;
}

export function deadLetterOf(unit: DeliveryUnit, failure: Failure): DeadLetter {
  const { part, index, output } = unit;
  const { workspaceId, destinationId, sourceId, replay } = part;
  const receivedAt = replay?.receivedAt ?? part.receivedAt;
  const names = { eventKey: eventKeyOf(part, index), output };
  return { workspaceId, destinationId, sourceId, receivedAt, ...names, event: originalOf(unit), ...failure };
}

export const REASON_LENGTH_MAX = 2_000;
/** Bounds of one statement. At this size the round trip is negligible. */
const WRITTEN_AT_ONCE_MAX = 1_000;
const BYTES_AT_ONCE_MAX = 4_194_304;
/** The PostgreSQL error code for a row that no partition accepts. A failed CHECK has the same code. */
const NO_PARTITION = '23514';

const COLUMNS = {
  workspace_id: 'text',
  destination_id: 'text',
  source_id: 'text',
  event_key: 'text',
  output: 'integer',
  stage: 'text',
  reason: 'text',
  status: 'integer',
  attempts: 'integer',
  message_id: 'text',
  event_type: 'text',
  event_name: 'text',
  event: 'json',
  match_keys: 'text[]',
  received_at: 'timestamptz',
};
const names = Object.keys(COLUMNS);
/** One array parameter per column. Nested arrays cannot vary in length, so match keys travel as array literals. */
const arrays = Object.values(COLUMNS).map((type, at) => `$${at + 1}::${type === 'text[]' ? 'text' : type}[]`);

/** Counts the new letters, by hour or by minute. In key order, so that two processes never deadlock. */
const countSql = (table: string, unit: 'hour' | 'minute') => `
  INSERT INTO ${table} AS known (workspace_id, destination_id, ${unit}, name, events)
  SELECT workspace_id, destination_id, date_trunc('${unit}', now(), 'UTC'), 'dead', count(*)
  FROM written WHERE is_new GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (workspace_id, destination_id, ${unit}, name) DO UPDATE SET events = known.events + EXCLUDED.events`;

/**
 * The unique index covers one day, so the query also looks at the day before. A letter with a mark does not count there, because its
 * replay may be removing it. Rows and counts are one statement, so a process that is killed loses none of them, and a letter that is
 * written again counts once. A letter with a mark died again, so it loses the mark before the next try of the replay can remove it. Its
 * new id keeps a later replay from being taken for the one before.
 */
const INSERT_SQL = `
  WITH written AS (
  INSERT INTO dead_letters (${names.join(', ')})
  SELECT ${Object.entries(COLUMNS).map(([name, type]) => (type === 'text[]' ? `${name}::text[]` : name))}
  FROM unnest(${arrays.join(', ')}) AS letter (${names.join(', ')})
  WHERE NOT EXISTS (
    SELECT FROM dead_letters AS known
    WHERE known.destination_id = letter.destination_id AND known.event_key = letter.event_key
      AND coalesce(known.output, -1) = coalesce(letter.output, -1) AND known.day = (now() AT TIME ZONE 'UTC')::date - 1
      AND known.replay_at IS NULL)
  ON CONFLICT (destination_id, event_key, coalesce(output, -1), day) DO UPDATE
    SET (id, replay_at, stage, reason, status, attempts) =
      (EXCLUDED.id, NULL, EXCLUDED.stage, EXCLUDED.reason, EXCLUDED.status, EXCLUDED.attempts)
    WHERE dead_letters.replay_at IS NOT NULL
  RETURNING workspace_id, destination_id, created_at = now() AS is_new
  ), recent AS (${countSql('attempt_minutes', 'minute')}
  )${countSql('delivery_counts', 'hour')}`;

const PURGE_SQL = `
  DELETE FROM dead_letters USING (
    SELECT id, day FROM dead_letters WHERE workspace_id = $1 AND match_keys && $2::text[] LIMIT $3 FOR UPDATE
  ) AS found WHERE dead_letters.id = found.id AND dead_letters.day = found.day`;

@Injectable()
export class DeadLetterRepository {
  constructor(
    private readonly database: Database,
    private readonly days: DeadLetterDays,
  ) {}

  /** Writes new letters in order, and counts them. If it rejects, earlier chunks may already be stored. */
  async add(letters: readonly DeadLetter[]): Promise<void> {
    // one statement cannot meet the same row twice
    const unique = new Map(letters.map((letter) => [keyOf(letter), letter]));
    const rows = [...unique.values()].map(rowOf);
    const bounds = { itemsMax: WRITTEN_AT_ONCE_MAX, bytesMax: BYTES_AT_ONCE_MAX, bytesOf: bytesOfRow };
    for (const chunk of chunksOf(rows, bounds)) await this.insert(chunk).catch((error) => this.retry(chunk, error));
  }

  /** Removes the letters that carry any of these match keys. */
  async purge(workspaceId: string, identifiers: string[]): Promise<void> {
    await inPieces(this.database, PURGE_SQL, [workspaceId, identifiers]);
  }

  private async insert(rows: Row[]): Promise<void> {
    await this.database.run(
      INSERT_SQL,
      names.map((_, column) => rows.map((row) => row[column])),
    );
  }

  /** Creates the missing partition and tries again. */
  private async retry(rows: Row[], error: unknown): Promise<void> {
    if (codeOf(error) !== NO_PARTITION) throw error;
    await this.days.prepare();
    await this.insert(rows);
  }
}

const codeOf = (error: unknown): unknown => error instanceof Error && Reflect.get(error, 'code');

const keyOf = ({ destinationId, eventKey, output }: DeadLetter) => JSON.stringify([destinationId, eventKey, output]);

/** Values in the order of COLUMNS. */
type Row = (string | number | null)[];

function rowOf({ event, output, status, ...letter }: DeadLetter): Row {
  const { messageId, eventType, eventName } = eventNamesOf(event);
  return [
    ...[letter.workspaceId, letter.destinationId, letter.sourceId, letter.eventKey, output ?? null, letter.stage],
    ...[storableText(letter.reason.slice(0, REASON_LENGTH_MAX)), status ?? null, letter.attempts],
    ...[messageId, eventType, eventName, JSON.stringify(event)],
    ...[arrayLiteral(identifiersOf(event)), letter.receivedAt],
  ];
}

const bytesOfRow = (row: Row): number => row.reduce<number>((sum, value) => sum + Buffer.byteLength(`${value}`), 0);

const arrayLiteral = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
