import { randomUUID } from 'node:crypto';
import type { Database } from '@weir/service-kit';

/** A row that this process works on for a while. */
export interface Turn {
  id: string;
  /** Names this turn. Another process that takes the row over has another one. */
  turn: string;
}

/** A table of work. It has the columns `id`, `turn` and `next_at`. */
interface TurnsOptions {
  database: Database;
  table: string;
  /** SQL: which rows have not ended. */
  isOpen: string;
  /** SQL: what a turn knows of its row, besides its names. */
  columns: string;
  /** Time after which another process goes on with the work of one that died. Longer than any step. */
  held: string;
}

/** SQL that sets columns, and the values of its parameters `$1`, `$2` and so on. */
interface Change {
  set: string;
  values?: unknown[];
}

/**
 * Hands rows of a table to the processes that work on them, the one that waits longest first. A process keeps its row by telling how
 * far it is, and may give it back for others. Only the holder of the turn changes anything.
 */
export class Turns<Row> {
  constructor(private readonly options: TurnsOptions) {}

  /** Undefined if nothing is due. */
  async take(): Promise<(Row & Turn) | undefined> {
    const { database, table, isOpen, columns, held } = this.options;
    const { rows } = await database.run<Row & Turn>(
      `UPDATE ${table} SET turn = $1, next_at = now() + interval '${held}'
       WHERE id = (
         SELECT id FROM ${table} WHERE ${isOpen} AND next_at <= now() ORDER BY next_at, id
         LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING id, turn, ${columns}`,
      [randomUUID()],
    );
    return rows[0];
  }

  /**
   * Stores progress. False if the row has ended or another process has taken it over. Then this turn is over. Only who took it over
   * repeats the step.
   */
  async keep(turn: Turn, change: Change): Promise<boolean> {
    const { isOpen, held } = this.options;
    const next = `next_at = now() + interval '${held}'`;
    const { rows } = await this.change<{ isOpen: boolean }>(turn, next, change, `RETURNING ${isOpen} AS "isOpen"`);
    return rows[0]?.isOpen ?? false;
  }

  /** The next turn begins after the pause. */
  async giveBack(turn: Turn, pauseMs: number, change: Partial<Change> = {}): Promise<void> {
    const next = `turn = NULL, next_at = now() + interval '${Math.round(pauseMs)} milliseconds'`;
    await this.change(turn, next, change, `AND ${this.options.isOpen}`);
  }

  /** The change has to say that the row has ended. */
  async end(turn: Turn, change: Change): Promise<void> {
    await this.change(turn, 'turn = NULL', change, `AND ${this.options.isOpen}`);
  }

  private change<Result>({ id, turn }: Turn, next: string, { set, values = [] }: Partial<Change>, rest: string) {
    const [ofId, ofTurn] = [`$${values.length + 1}`, `$${values.length + 2}`];
    return this.options.database.run<Result>(
      `UPDATE ${this.options.table} SET ${[next, set].filter(Boolean).join(', ')}
       WHERE id = ${ofId} AND turn = ${ofTurn} ${rest}`,
      [...values, id, turn],
    );
  }
}
