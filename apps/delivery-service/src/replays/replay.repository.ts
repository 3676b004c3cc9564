import { Injectable } from '@nestjs/common';
import type { JsonObject, ReplayDeliveries, ReplaySelection, ReplyOf } from '@weir/contracts';
import { Database, type Transaction } from '@weir/service-kit';

type Plan = ReplyOf<typeof ReplayDeliveries>;

/** A dead letter that is to be sent again. */
export interface ReplayLetter {
  id: string;
  workspaceId: string;
  destinationId: string;
  sourceId: string;
  eventKey: string;
  output: number | null;
  event: JsonObject;
  /** When it became a dead letter. */
  createdAt: Date;
}

/** Bounds the letters of one transaction. */
export interface LettersMax {
  lettersMax: number;
  /** As JSON text. */
  bytesMax: number;
}

interface Sum {
  destination_id: string;
  deliveries: number;
  oldest: Date;
  newest: Date;
}

const SUM = 'destination_id, count(*)::int AS deliveries, min(created_at) AS oldest, max(created_at) AS newest';

@Injectable()
export class ReplayRepository {
  constructor(private readonly database: Database) {}

  /** Summarises what the selection would send again. Changes nothing. */
  async plan(workspaceId: string, selection: ReplaySelection): Promise<Plan> {
    const { sql, values } = conditionOf(workspaceId, selection);
    const { rows } = await this.database.run<Sum>(`SELECT ${SUM} FROM dead_letters WHERE ${sql} GROUP BY 1`, values);
    return planOf(rows);
  }

  /** Marks the selection for replay. Deliverers send it. */
  async request(workspaceId: string, selection: ReplaySelection): Promise<Plan> {
    const { sql, values } = conditionOf(workspaceId, selection);
    const { rows } = await this.database.run<Sum>(
      `WITH marked AS (
         UPDATE dead_letters SET replay_at = coalesce(replay_at, now()) WHERE ${sql} RETURNING destination_id, created_at
       ) SELECT ${SUM} FROM marked GROUP BY 1`,
      values,
    );
    return planOf(rows);
  }

  /**
   * Passes the oldest marked letters of one destination to `send` and deletes them in the same transaction. If `send` fails, they
   * stay. Skips letters that another deliverer holds, and the destinations in `except`. Takes at least one letter, whatever its
   * bytes. Returns the letters sent.
   */
  async take(
    limits: LettersMax,
    except: string[],
    send: (letters: ReplayLetter[]) => Promise<void>,
  ): Promise<ReplayLetter[]> {
    return this.database.transaction(async (sql) => {
      const letters = await takeMarked(sql, limits, except);
      if (letters.length > 0) await send(letters);
      if (letters.length > 0) await uncount(sql, letters);
      return letters;
    });
  }

  /** Removes the replay marks of a destination that is gone. The letters stay. */
  async unmark(destinationId: string): Promise<void> {
    await this.database.run(
      'UPDATE dead_letters SET replay_at = NULL WHERE destination_id = $1 AND replay_at IS NOT NULL',
      [destinationId],
    );
  }
}

async function takeMarked(
  sql: Transaction,
  { lettersMax, bytesMax }: LettersMax,
  except: string[],
): Promise<ReplayLetter[]> {
  const {
    rows: [first],
  } = await sql.run<{ destination_id: string }>(
    `SELECT destination_id FROM dead_letters WHERE replay_at IS NOT NULL AND destination_id <> ALL($1)
     ORDER BY replay_at, id LIMIT 1 FOR UPDATE SKIP LOCKED`,
    [except],
  );
  if (!first) return [];
  const { rows } = await sql.run<ReplayLetter>(
    `WITH marked AS (
       SELECT id, day, octet_length(event::text) AS bytes FROM dead_letters
       WHERE replay_at IS NOT NULL AND destination_id = $1 ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
     ), summed AS (
       SELECT id, day, bytes, sum(bytes) OVER (ORDER BY id) AS total FROM marked
     ), taken AS (
       SELECT id, day FROM summed WHERE total <= $3 OR total = bytes
     )
     DELETE FROM dead_letters AS letter USING taken WHERE letter.id = taken.id AND letter.day = taken.day
     RETURNING letter.id, workspace_id AS "workspaceId", destination_id AS "destinationId", source_id AS "sourceId",
               event_key AS "eventKey", output, event, created_at AS "createdAt"`,
    [first.destination_id, lettersMax, bytesMax],
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

function conditionOf(workspaceId: string, selection: ReplaySelection): { sql: string; values: unknown[] } {
  if ('ids' in selection)
    return { sql: 'workspace_id = $1 AND id = ANY($2::bigint[])', values: [workspaceId, selection.ids] };
  const { destinationId, from, to, stage } = selection;
  return {
    sql: `workspace_id = $1 AND destination_id = $2 AND ($3::timestamptz IS NULL OR created_at >= $3)
      AND ($4::timestamptz IS NULL OR created_at < $4) AND ($5::text IS NULL OR stage = $5)`,
    values: [workspaceId, destinationId, from ?? null, to ?? null, stage ?? null],
  };
}

function planOf(sums: Sum[]): Plan {
  const oldest = sums.map((sum) => sum.oldest.getTime());
  const newest = sums.map((sum) => sum.newest.getTime());
  return {
    deliveries: sums.reduce((total, { deliveries }) => total + deliveries, 0),
    destinations: sums.map((sum) => ({ destinationId: sum.destination_id, deliveries: sum.deliveries })),
    ...(sums.length > 0 && {
      oldest: new Date(Math.min(...oldest)).toISOString(),
      newest: new Date(Math.max(...newest)).toISOString(),
    }),
  };
}
