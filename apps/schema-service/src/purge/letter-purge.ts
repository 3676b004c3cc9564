import { Injectable } from '@nestjs/common';
import { isJsonObject, type JsonObject } from '@weir/contracts';
import { during } from '@weir/messaging';
import { Database } from '@weir/service-kit';
import type { UserTraces } from './traces.js';

/** Dead letters per query. Each has at most 1 MiB. */
const LETTERS_AT_ONCE = 16;

interface Letter {
  id: number;
  body: string;
}

/** Purges dead letters. They keep messages that could not be counted, unchanged, for inspection. */
@Injectable()
export class LetterPurge {
  constructor(private readonly dataSource: Database) {}

  /**
   * Empties those of the next dead letters after `after` that hold a user, and returns the last id read. Undefined if there was
   * none.
   */
  async purgeSome(workspaceId: string, traces: UserTraces, after: number): Promise<number | undefined> {
    // The subject ends with workspace and source. Collectors of an earlier release also left sizes in it.
    const { rows: letters } = await this.dataSource.run<Letter>(
      `SELECT id::float8 AS id, body FROM dead_letters
       WHERE id > $2 AND body IS NOT NULL AND split_part(subject, '.', -2) = $1 ORDER BY id LIMIT $3`,
      [workspaceId, after, LETTERS_AT_ONCE],
    );
    const found = during('purge.letters', () => letters.filter(({ body }) => holds(body, traces)));
    if (found.length > 0) {
      const ids = found.map(({ id }) => id);
      await this.dataSource.run(`UPDATE dead_letters SET body = NULL WHERE id = ANY($1::bigint[])`, [ids]);
    }
    return letters.at(-1)?.id;
  }
}

const holds = (body: string, traces: UserTraces) => eventsOf(body).some((event) => traces.isIn(event));

/** The whole body, and each event if the body is a batch. */
function eventsOf(body: string): JsonObject[] {
  const json: unknown = JSON.parse(body);
  const events = isJsonObject(json) && Array.isArray(json['events']) ? json['events'] : [];
  return [{ json }, ...events.filter(isJsonObject)];
}
