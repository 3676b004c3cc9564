import { Injectable } from '@nestjs/common';
import { identifiersOf, type JsonObject, storableText } from '@weir/contracts';
import { removeRows, SQL_STATE, sqlStateOf } from '@weir/messaging';
import { Database } from '@weir/service-kit';
import { type FencedEvent, PurgeFence } from '../checks/purge-fence.js';
import {
  type DeadLetterStage,
  type DeliveryUnit,
  eventKeyOf,
  eventNamesOf,
  type Failure,
  originalOf,
} from '../units/delivery-unit.js';
import { matchKeysOf } from '../units/match-keys.js';
import { DeadLetterBudget, type Kept, type WorkspaceSize } from './dead-letter-budget.js';
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
  /** Takes the place of a letter that a replay removed. The table had room for that one, so this one is kept as well. */
  isReturned?: boolean;
}

export function deadLetterOf(unit: DeliveryUnit, failure: Failure): DeadLetter {
  const { part, index, output } = unit;
  const { workspaceId, destinationId, sourceId, replay } = part;
  const receivedAt = replay?.receivedAt ?? part.receivedAt;
  const names = { eventKey: eventKeyOf(part, index), output };
  // Code may make many events of one. Only the first of them takes the place of its letter.
  const isReturned = replay?.wasLetter === true && (output === undefined || output === (replay.output ?? 0));
  const owners = { workspaceId, destinationId, sourceId };
  return { ...owners, receivedAt, ...names, event: originalOf(unit), ...failure, ...(isReturned && { isReturned }) };
}

export const REASON_LENGTH_MAX = 2_000;
/** Bounds of one statement. At this size the round trip is negligible. */
const WRITTEN_AT_ONCE_MAX = 1_000;
const BYTES_AT_ONCE_MAX = 4_194_304;
/** Overhead of a letter in the table and its indexes. */
const ROW_BYTES = 512;

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
const PARAMETERS = { ...COLUMNS, match_keys: 'text', bytes: 'bigint', is_listed: 'boolean' };
const EVENT_AT = names.indexOf('event');
const arrays = Object.values(PARAMETERS).map((type, at) => `$${at + 1}::${type}[]`);

/** Counts the new letters, by hour or by minute. In key order, so that two processes never deadlock. */
const countSql = (table: string, unit: 'hour' | 'minute') => `
  INSERT INTO ${table} AS known (workspace_id, destination_id, ${unit}, name, events)
  SELECT workspace_id, destination_id, date_trunc('${unit}', now(), 'UTC'), 'dead', count(*)
  FROM dead GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (workspace_id, destination_id, ${unit}, name) DO UPDATE SET events = known.events + EXCLUDED.events`;

/**
 * The unique index covers one day, so the query also looks at the day before. A letter with a mark does not count there, because its
 * replay may be removing it. Rows and counts are one statement, so a process that is killed loses none of them, and a letter that is
 * written again counts once. A letter with a mark died again, so it loses the mark before the next try of the replay can remove it. Its
 * new id keeps a later replay from being taken for the one before.
 */
const INSERT_SQL = `
  WITH letter AS (
    SELECT * FROM unnest(${arrays.join(', ')}) WITH ORDINALITY AS letter (${Object.keys(PARAMETERS).join(', ')}, place)
  ), written AS (
  INSERT INTO dead_letters (${names.join(', ')})
  SELECT ${Object.entries(COLUMNS).map(([name, type]) => (type === 'text[]' ? `${name}::text[]` : name))} FROM letter
  WHERE is_listed AND NOT EXISTS (
    SELECT FROM dead_letters AS known
    WHERE known.destination_id = letter.destination_id AND known.event_key = letter.event_key
      AND coalesce(known.output, -1) = coalesce(letter.output, -1) AND known.day = (now() AT TIME ZONE 'UTC')::date - 1
      AND known.replay_at IS NULL)
  ORDER BY place
  ON CONFLICT (destination_id, event_key, coalesce(output, -1), day) DO UPDATE
    SET (id, replay_at, stage, reason, status, attempts) =
      (EXCLUDED.id, NULL, EXCLUDED.stage, EXCLUDED.reason, EXCLUDED.status, EXCLUDED.attempts)
    WHERE dead_letters.replay_at IS NOT NULL
  RETURNING workspace_id, destination_id, event_key, output, created_at = now() AS is_new
  ), dead AS (
    SELECT workspace_id, destination_id FROM written WHERE is_new
    UNION ALL SELECT workspace_id, destination_id FROM letter WHERE NOT is_listed
  ), recent AS (${countSql('attempt_minutes', 'minute')}
  ), hourly AS (${countSql('delivery_counts', 'hour')}
  ), grown AS (
    SELECT letter.workspace_id, sum(bytes) FILTER (WHERE is_new) AS bytes FROM letter LEFT JOIN written
      ON written.destination_id = letter.destination_id AND written.event_key = letter.event_key
        AND written.output IS NOT DISTINCT FROM letter.output
    GROUP BY 1
  )
  INSERT INTO dead_letter_sizes AS known (day, workspace_id, bytes)
  SELECT (now() AT TIME ZONE 'UTC')::date, workspace_id, coalesce(bytes, 0) FROM grown ORDER BY workspace_id
  ON CONFLICT (day, workspace_id) DO UPDATE SET bytes = known.bytes + EXCLUDED.bytes
  RETURNING workspace_id AS "workspaceId", bytes::float8 AS bytes`;

/** The outcome of a letter: `suppressed` if its user was deleted after the event came in, so that it is not written. */
export type Written = 'dead' | 'suppressed';

/** Writes dead letters. */
@Injectable()
export class DeadLetterRepository {
  constructor(
    private readonly database: Database,
    private readonly days: DeadLetterDays,
    private readonly fence: PurgeFence,
    private readonly budget: DeadLetterBudget,
  ) {}

  /**
   * Writes new letters in order, and counts them. Resolves with what became of each. If it rejects, earlier chunks may already be
   * stored.
   */
  async add(letters: readonly DeadLetter[]): Promise<Written[]> {
    // one statement cannot meet the same row twice
    const unique = new Map(letters.map((letter) => [keyOf(letter), letter]));
    const purged = new Set<string>();
    for (const chunk of this.chunks([...unique.values()])) {
      try {
        for (const key of await this.insert(chunk).catch((error) => this.retry(chunk, error))) purged.add(key);
      } finally {
        for (const { letter, bytes } of chunk) this.budget.ended(letter.workspaceId, bytes);
      }
    }
    return letters.map((letter) => (purged.has(keyOf(letter)) ? 'suppressed' : 'dead'));
  }

  /** Removes old sizes. */
  async removeOld(): Promise<void> {
    await removeRows(this.database, 'dead_letter_sizes', `day < (now() AT TIME ZONE 'UTC')::date`);
  }

  /** Makes the rows of one statement at a time, because an event may have half a megabyte and die at thousands of destinations. */
  private *chunks(letters: readonly DeadLetter[]): Generator<Placed[]> {
    let chunk: Placed[] = [];
    let bytes = 0;
    const texts = new Map<JsonObject, string>();
    for (const letter of letters) {
      const text =
        this.budget.isFull(letter.workspaceId) && !letter.isReturned
          ? undefined
          : (texts.get(letter.event) ?? JSON.stringify(letter.event));
      const row = rowOf(letter);
      const bare = bytesOfRow(row) + ROW_BYTES;
      const whole = bare + Buffer.byteLength(text ?? '');
      if (chunk.length >= WRITTEN_AT_ONCE_MAX || (chunk.length > 0 && bytes + whole > BYTES_AT_ONCE_MAX)) {
        yield chunk;
        chunk = [];
        bytes = 0;
        texts.clear();
      }
      if (text !== undefined) texts.set(letter.event, text);
      const placed = this.place(letter, { row, bare, whole, text });
      chunk.push(placed);
      bytes += letter.isReturned ? whole : placed.bytes;
    }
    if (chunk.length > 0) yield chunk;
  }

  /** Takes room for as much of the letter as there is room for. */
  private place(letter: DeadLetter, { row, bare, whole, text }: Sized): Placed {
    const { workspaceId } = letter;
    const room = letter.isReturned ? 0 : whole;
    if (text !== undefined && (room === 0 || this.budget.take(workspaceId, room, 'whole')))
      return { letter, row: row.with(EVENT_AT, text), bytes: room, kept: 'whole' };
    if (this.budget.take(workspaceId, bare, 'without_event'))
      return { letter, row, bytes: bare, kept: 'without_event' };
    return { letter, row: rowOf({ ...letter, event: {}, reason: '' }), bytes: 0, kept: 'counted' };
  }

  /** Returns the keys of the letters whose users were purged. */
  private async insert(placed: readonly Placed[]): Promise<string[]> {
    const { sizes, left, purged } = await this.database.transaction(async (sql) => {
      const late = new Set([...(await this.fence.purged(sql, placed.map(fencedOf)))].map(({ letter }) => letter));
      const others = placed.filter(({ letter }) => !late.has(letter));
      const parameters = others.map(({ row, bytes, kept }) => [...row, bytes, kept !== 'counted']);
      const columns = Object.keys(PARAMETERS).map((_, column) => parameters.map((row) => row[column]));
      const { rows } = others.length > 0 ? await sql.run<WorkspaceSize>(INSERT_SQL, columns) : { rows: [] };
      return { sizes: rows, left: others, purged: [...late].map(keyOf) };
    });
    for (const { workspaceId, bytes } of sizes) this.budget.learn(workspaceId, bytes);
    for (const { kept } of left) this.budget.count(kept);
    return purged;
  }

  /** Creates the missing partition and tries again. */
  private async retry(placed: readonly Placed[], error: unknown): Promise<string[]> {
    if (sqlStateOf(error) !== SQL_STATE.NO_PARTITION) throw error;
    await this.days.prepare();
    return this.insert(placed);
  }
}

/** A row without its event, the event's text if it may have room, and the bytes without and with it. */
interface Sized {
  row: Row;
  text: string | undefined;
  bare: number;
  whole: number;
}

/** A letter, and as much of it as there is room for. */
interface Placed {
  letter: DeadLetter;
  row: Row;
  /** Room that it takes. */
  bytes: number;
  kept: Kept;
}

const fencedOf = ({ letter }: Placed): FencedEvent & { letter: DeadLetter } => ({
  letter,
  workspaceId: letter.workspaceId,
  receivedAt: letter.receivedAt,
  matchKeys: () => matchKeysOf(letter.event),
});

const keyOf = ({ destinationId, eventKey, output }: DeadLetter) => JSON.stringify([destinationId, eventKey, output]);

/** Values in the order of COLUMNS, without the event. */
type Row = (string | number | null)[];

function rowOf({ event, output, status, ...letter }: DeadLetter): Row {
  const { messageId, eventType, eventName } = eventNamesOf(event);
  return [
    ...[letter.workspaceId, letter.destinationId, letter.sourceId, letter.eventKey, output ?? null, letter.stage],
    ...[storableText(letter.reason.slice(0, REASON_LENGTH_MAX)), status ?? null, letter.attempts],
    ...[messageId, eventType, eventName, null],
    ...[arrayLiteral(identifiersOf(event)), letter.receivedAt],
  ];
}

const bytesOfRow = (row: Row): number => row.reduce<number>((sum, value) => sum + Buffer.byteLength(`${value}`), 0);

const arrayLiteral = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
