import { Injectable } from '@nestjs/common';
import {
  AppError,
  chunksOf,
  type EventTrace,
  type ListTraces,
  type ReplyOf,
  TRACE_BYTES_MAX,
  TRACES_PAGE_SIZE,
} from '@weir/contracts';
import { Database } from '@weir/service-kit';
import { identifierKeyOf } from '../units/match-keys.js';
import { type FindLetter, fittedLife, lifeOf, type ReadRow } from './event-life.js';
import { messageKeyOf, type StoredStep } from './trace-row.js';

/** Rows that are read of one event. A delivery that is tried for a day writes some 300 for each destination. */
const ROWS_MAX = 1_000;
/** The newest steps of an event up to this size are read with their contents. Older ones tell what happened, in a tenth of the bytes. */
const WHOLE_BYTES_MAX = 393_216;
/** Events that one statement reads. Each may have 16 MiB of rows. */
const EVENTS_AT_ONCE = 5;

/**
 * A step without its contents. `jsonb` refuses a NUL and half of a surrogate pair, which JSON has as escapes: U+FFFD takes their place.
 * An even number of backslashes before the escape are backslashes of the text.
 */
const CUT_STEP = String.raw`
  regexp_replace(row.step::text, '(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f]..)', '\1\\ufffd', 'g')::jsonb - 'payloads' #- '{code,changes}'`;
/**
 * The newest rows of each event: an event that is retried for long shows how it stands. Where the day of its intake is known, earlier
 * partitions are not touched, except the one before: processes write their steps side by side, also around midnight.
 */
const ROWS_SQL = `
  SELECT encode(asked.key, 'hex') AS "messageKey", row."sourceId", row."destinationId", row.share::float8 AS share,
    row."isCut", CASE WHEN row."isCut" THEN (${CUT_STEP})::json ELSE row.step END AS step
  FROM (
    SELECT decode(key, 'hex') AS key, coalesce(day - 1, '-infinity') AS since
    FROM unnest($2::text[], $3::date[]) AS event (key, day)
  ) AS asked
  CROSS JOIN LATERAL (
    SELECT *, "destinationId" IS NOT NULL AND sum(octet_length(step::text)) OVER (ORDER BY id DESC) > $5 AS "isCut" FROM (
      SELECT id, source_id AS "sourceId", destination_id AS "destinationId", share, step
      FROM traces WHERE workspace_id = $1 AND message_key = asked.key AND day >= asked.since ORDER BY id DESC LIMIT $4
    ) AS newest
  ) AS row ORDER BY row.id`;
const OF_USER_SQL = `
  SELECT id::text AS id, encode(message_key, 'hex') AS "messageKey", day::text AS day FROM traces
  WHERE workspace_id = $1 AND user_key = $2 AND id < $3 ORDER BY traces.id DESC LIMIT $4`;
const LETTERS_SQL = `
  SELECT asked.name, letter.id::text AS id
  FROM unnest($2::text[], $3::text[], $4::integer[], $5::text[]) AS asked (destination_id, event_key, output, name)
  CROSS JOIN LATERAL (
    SELECT id FROM dead_letters
    WHERE destination_id = asked.destination_id AND event_key = asked.event_key
      AND coalesce(output, -1) = coalesce(asked.output, -1) AND workspace_id = $1 LIMIT 1
  ) AS letter`;

type FoundRow = ReadRow & { messageKey: string };

interface AskedEvent {
  messageKey: string;
  /** Day of its intake, if known. */
  day: string | null;
}

/** Reads the lives of traced events. */
@Injectable()
export class TraceReader {
  constructor(private readonly database: Database) {}

  async find(workspaceId: string, messageId: string): Promise<EventTrace | undefined> {
    const key = messageKeyOf(messageId);
    const trace = (await this.lives(workspaceId, [{ messageKey: key, day: null }])).get(key);
    return trace && { ...trace, messageId };
  }

  /** Newest first. A page ends early if the next event does not fit. Throws `invalid` for a malformed cursor. */
  async ofUser(workspaceId: string, userId: string, cursor?: string): Promise<ReplyOf<typeof ListTraces>> {
    if (cursor !== undefined && !/^\d{1,18}$/.test(cursor))
      throw new AppError('invalid', 'after_cursor must come from paging.next of the page before');
    const key = identifierKeyOf(`userId=${userId}`);
    const { rows } = await this.database.run<AskedEvent & { id: string }>(OF_USER_SQL, [
      ...[workspaceId, key, cursor ?? Number.MAX_SAFE_INTEGER, TRACES_PAGE_SIZE + 1],
    ]);
    const page = rows.slice(0, TRACES_PAGE_SIZE);
    const shown = new Map<string, EventTrace>();
    let bytes = 0;
    let last: string | undefined;
    for (const some of chunksOf(page, { itemsMax: EVENTS_AT_ONCE })) {
      const lives = await this.lives(workspaceId, some);
      for (const { id, messageKey } of some) {
        const trace = shown.has(messageKey) ? undefined : lives.get(messageKey);
        if (trace) bytes += Buffer.byteLength(JSON.stringify(trace)) + 1;
        if (bytes > TRACE_BYTES_MAX && last !== undefined && shown.size > 0)
          return { traces: [...shown.values()], next: last };
        if (trace) shown.set(messageKey, trace);
        last = id;
      }
    }
    return { traces: [...shown.values()], ...(last !== undefined && rows.length > page.length && { next: last }) };
  }

  /** Lives by message key. Events of which nothing is kept are missing. */
  private async lives(workspaceId: string, events: readonly AskedEvent[]): Promise<Map<string, EventTrace>> {
    const columns = [events.map(({ messageKey }) => messageKey), events.map(({ day }) => day)];
    const limits = [ROWS_MAX, WHOLE_BYTES_MAX];
    const { rows } = await this.database.run<FoundRow>(ROWS_SQL, [workspaceId, ...columns, ...limits]);
    const letterOf = await this.letters(workspaceId, rows);
    const lives = new Map<string, EventTrace>();
    for (const [key, [first, ...more]] of Map.groupBy(rows, ({ messageKey }) => messageKey))
      if (first) lives.set(key, fittedLife(lifeOf([first, ...more], letterOf)));
    return lives;
  }

  private async letters(workspaceId: string, rows: FoundRow[]): Promise<FindLetter> {
    const dead = rows.flatMap(({ destinationId, step }) =>
      destinationId !== null && step.step === 'dead' ? [{ destinationId, step: step as StoredStep }] : [],
    );
    if (dead.length === 0) return () => undefined;
    const { rows: letters } = await this.database.run<{ name: string; id: string }>(LETTERS_SQL, [
      workspaceId,
      dead.map(({ destinationId }) => destinationId),
      dead.map(({ step }) => step.eventKey),
      dead.map(({ step }) => step.output ?? null),
      dead.map(({ destinationId, step }) => nameOf(destinationId, step)),
    ]);
    const ids = new Map(letters.map(({ name, id }) => [name, id]));
    return (destinationId, step) => ids.get(nameOf(destinationId, step));
  }
}

const nameOf = (destinationId: string, { eventKey, output }: StoredStep): string =>
  `${destinationId}/${eventKey}/${output ?? ''}`;
