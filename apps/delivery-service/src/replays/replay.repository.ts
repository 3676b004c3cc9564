import { Injectable } from '@nestjs/common';
import type { JsonObject, ReplayDeliveries, ReplaySelection, ReplyOf } from '@weir/contracts';
import type { Rows } from '@weir/messaging';
import { Database, type Transaction } from '@weir/service-kit';
import { daysOf } from '../days/day-partitions.js';

export type Plan = ReplyOf<typeof ReplayDeliveries>;

/** Letters that were counted, and are not marked yet. */
export interface PreparedReplay {
  plan: Plan;
  /** Marks them in pieces that are committed alone. An aborted signal ends it after a piece. */
  mark: (signal?: AbortSignal) => Promise<void>;
}

/** A dead letter that is to be sent again. */
export interface ReplayLetter {
  id: string;
  workspaceId: string;
  destinationId: string;
  sourceId: string;
  eventKey: string;
  output: number | null;
  event: JsonObject;
  /** When the event came in. */
  receivedAt: Date;
  /** When it became a dead letter. */
  createdAt: Date;
}

/** Bounds the letters of one transaction. */
export interface LettersMax {
  lettersMax: number;
  /** As JSON text. */
  bytesMax: number;
}

/** Letters are marked in this order. */
interface LetterPlace {
  destination_id: string;
  id: string;
}

interface Sum {
  destination_id: string;
  deliveries: number;
  oldest: Date;
  newest: Date;
  last: number;
}

/** Sums of the letters of one day. Undefined stands for all days. */
interface SumsOfDay {
  day: string | undefined;
  sums: Sum[];
}

const SUM =
  'destination_id, count(*)::int AS deliveries, min(created_at) AS oldest, max(created_at) AS newest, max(id)::float8 AS last';
/** Letters that one statement marks. Keeps locks short and stays below the statement timeout. */
export const MARKED_AT_ONCE = 1_000;

@Injectable()
export class ReplayRepository {
  constructor(private readonly database: Database) {}

  /** Summarises what the selection would send again. Changes nothing. */
  async plan(workspaceId: string, selection: ReplaySelection): Promise<Plan> {
    return planOf((await this.sumsOf(workspaceId, selection)).flatMap(({ sums }) => sums));
  }

  /** Marks the selection for replay, as {@link prepare} says. */
  async request(workspaceId: string, selection: ReplaySelection): Promise<Plan> {
    const { plan, mark } = await this.prepare(workspaceId, selection);
    await mark();
    return plan;
  }

  /**
   * Counts the selection, and marks it for replay when the caller says so. Deliverers send what has a mark. What has one already keeps
   * it, and counts all the same. What dies meanwhile gets none, because it may have been sent again already.
   */
  async prepare(workspaceId: string, selection: ReplaySelection): Promise<PreparedReplay> {
    const found = (await this.sumsOf(workspaceId, selection)).filter(({ sums }) => sums.length > 0);
    const sums = found.flatMap((one) => one.sums);
    const last = Math.max(0, ...sums.map((sum) => sum.last));
    const from = 'destinationId' in selection ? selection.destinationId : '';
    const mark = async (signal?: AbortSignal) => {
      for (const { day } of found) {
        const condition = conditionOf(workspaceId, selection, { day, isDestination: '<=' });
        await this.mark('now()', condition, { from, last, signal });
      }
    };
    return { plan: planOf(sums), mark };
  }

  /** Destinations with marked letters, after another one. Jumps from one to the next in the index, however many letters each has. */
  async destinations(after: string, max: number): Promise<string[]> {
    const { rows } = await this.database.run<{ id: string }>(
      `WITH RECURSIVE place AS (
         (SELECT destination_id AS id FROM dead_letters WHERE replay_at IS NOT NULL AND destination_id > $1 ORDER BY 1 LIMIT 1)
         UNION ALL
         SELECT following.id FROM place CROSS JOIN LATERAL (
           SELECT destination_id AS id FROM dead_letters WHERE replay_at IS NOT NULL AND destination_id > place.id
           ORDER BY 1 LIMIT 1) AS following)
       SELECT id FROM place LIMIT $2`,
      [after, max],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Passes the oldest marked letters of a destination to `send` and deletes them in the same transaction. If `send` fails, they
   * stay. Skips letters that another deliverer holds. Takes at least one letter, whatever its bytes. Returns the letters sent.
   */
  async take(
    destinationId: string,
    limits: LettersMax,
    send: (letters: ReplayLetter[]) => Promise<void>,
  ): Promise<ReplayLetter[]> {
    return this.database.transaction(async (sql) => {
      const letters = await takeMarked(sql, destinationId, limits);
      if (letters.length > 0) await send(letters);
      if (letters.length > 0) await uncount(sql, letters);
      return letters;
    });
  }

  /** Removes the replay marks of a destination that is gone. The letters stay. */
  async unmark(destinationId: string): Promise<void> {
    const sql = 'destination_id <= $1 AND replay_at IS NOT NULL';
    const condition = { sql, ofDay: 'true', values: [destinationId] };
    await this.mark('NULL', condition, { from: destinationId, last: Number.MAX_SAFE_INTEGER });
  }

  /** Sums each day alone, because a destination may have more letters than one statement can read in its time. */
  private async sumsOf(workspaceId: string, selection: ReplaySelection): Promise<SumsOfDay[]> {
    const days = 'ids' in selection ? [undefined] : await daysOf(this.database, 'dead_letters', selection);
    const found: SumsOfDay[] = [];
    for (const day of days) {
      const { sql, ofDay, values } = conditionOf(workspaceId, selection, { day });
      const text = `SELECT ${SUM} FROM dead_letters WHERE ${ofDay} AND ${sql} GROUP BY 1`;
      found.push({ day, sums: (await this.database.run<Sum>(text, values)).rows });
    }
    return found;
  }

  /**
   * Sets the marks in pieces, from a destination on. Each piece begins after the one before, so no statement visits more rows than one
   * piece has. A condition says `destination_id <= …`, because with `=` PostgreSQL may read in the order of another index.
   */
  private async mark(
    replayAt: 'now()' | 'NULL',
    { sql, ofDay, values }: Condition,
    { from, last, signal }: { from: string; last: number; signal?: AbortSignal | undefined },
  ): Promise<void> {
    const [destination, id, end] = [1, 2, 3].map((n) => `$${values.length + n}`);
    const text = `
      WITH piece AS (
        SELECT destination_id, id FROM dead_letters
        WHERE ${ofDay} AND ${sql} AND (destination_id, id) >= (${destination}, ${id}::bigint) AND id <= ${end}::bigint
        ORDER BY destination_id, id LIMIT ${MARKED_AT_ONCE}
      ), marked AS (
        UPDATE dead_letters SET replay_at = ${replayAt}
        WHERE ${ofDay} AND id = ANY(ARRAY(SELECT id FROM piece)) AND (replay_at IS NULL) = (${replayAt} IS NOT NULL)
      ) SELECT destination_id, id + 1 AS id FROM piece ORDER BY 1 DESC, 2 DESC LIMIT 1`;
    for (let place: LetterPlace | undefined = { destination_id: from, id: '0' }; place; ) {
      signal?.throwIfAborted();
      const { rows }: Rows<LetterPlace> = await this.database.run(text, [
        ...values,
        place.destination_id,
        place.id,
        last,
      ]);
      [place] = rows;
    }
  }
}

/**
 * The letters of one destination, to be read in the order of `destination_id, id`. The range keeps PostgreSQL from reading them in
 * the order of `id` alone, past any number of letters of others.
 */
const ofDestination = (parameter: string): string => `destination_id BETWEEN ${parameter} AND ${parameter}`;

async function takeMarked(
  sql: Transaction,
  destinationId: string,
  { lettersMax, bytesMax }: LettersMax,
): Promise<ReplayLetter[]> {
  const { rows } = await sql.run<ReplayLetter>(
    `WITH marked AS (
       SELECT id, day, octet_length(event::text) AS bytes FROM dead_letters
       WHERE replay_at IS NOT NULL AND ${ofDestination('$1')}
       ORDER BY destination_id, id LIMIT $2 FOR UPDATE SKIP LOCKED
     ), summed AS (
       SELECT id, day, bytes, sum(bytes) OVER (ORDER BY id) AS total FROM marked
     ), taken AS (
       SELECT id, day FROM summed WHERE total <= $3 OR total = bytes
     )
     DELETE FROM dead_letters AS letter USING taken WHERE letter.id = taken.id AND letter.day = taken.day
     RETURNING letter.id, workspace_id AS "workspaceId", destination_id AS "destinationId", source_id AS "sourceId",
               event_key AS "eventKey", output, event, received_at AS "receivedAt",
               created_at AS "createdAt"`,
    [destinationId, lettersMax, bytesMax],
  );
  return rows.sort((a, b) => Number(a.id) - Number(b.id));
}

/** A letter that is sent again is no longer dead. If it dies again, it counts again. */
async function uncount(sql: Transaction, letters: readonly ReplayLetter[]): Promise<void> {
  const [{ workspaceId, destinationId } = { workspaceId: '', destinationId: '' }] = letters;
  await sql.run(
    `INSERT INTO delivery_counts AS known (workspace_id, destination_id, hour, name, events)
     SELECT $1, $2, date_trunc('hour', died_at, 'UTC'), 'dead', -count(*)
     FROM unnest($3::timestamptz[]) AS letter (died_at) GROUP BY 3 ORDER BY 3
     ON CONFLICT (workspace_id, destination_id, hour, name) DO UPDATE SET events = known.events + EXCLUDED.events`,
    [workspaceId, destinationId, letters.map(({ createdAt }) => createdAt)],
  );
}

interface Condition {
  sql: string;
  /** The day of the letters, so that PostgreSQL opens no other partition. */
  ofDay: string;
  values: unknown[];
}

/** Letters that can be sent again: of a day, or of all. */
function conditionOf(
  workspaceId: string,
  selection: ReplaySelection,
  { day, isDestination = '=' }: { day: string | undefined; isDestination?: '=' | '<=' },
): Condition {
  if ('ids' in selection)
    return {
      sql: 'workspace_id = $1 AND id = ANY($2::bigint[]) AND event IS NOT NULL',
      ofDay: 'true',
      values: [workspaceId, selection.ids],
    };
  const { destinationId, from, to, stage } = selection;
  return {
    sql: `workspace_id = $1 AND destination_id ${isDestination} $2 AND ($3::timestamptz IS NULL OR created_at >= $3)
      AND ($4::timestamptz IS NULL OR created_at < $4) AND ($5::text IS NULL OR stage = $5) AND event IS NOT NULL`,
    ofDay: 'day = $6::date',
    values: [workspaceId, destinationId, from ?? null, to ?? null, stage ?? null, day],
  };
}

function planOf(sums: Sum[]): Plan {
  const oldest = sums.map((sum) => sum.oldest.getTime());
  const newest = sums.map((sum) => sum.newest.getTime());
  const counts = new Map<string, number>();
  for (const { destination_id: id, deliveries } of sums) counts.set(id, (counts.get(id) ?? 0) + deliveries);
  return {
    deliveries: sums.reduce((total, { deliveries }) => total + deliveries, 0),
    destinations: [...counts].map(([destinationId, deliveries]) => ({ destinationId, deliveries })),
    ...(sums.length > 0 && {
      oldest: new Date(Math.min(...oldest)).toISOString(),
      newest: new Date(Math.max(...newest)).toISOString(),
    }),
  };
}
