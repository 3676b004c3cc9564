import { Injectable } from '@nestjs/common';
import { chunksOf } from '@weir/contracts';
import { Slices, type Sql } from '@weir/messaging';
import { addFacts, type CountedVersion, type KeyFacts, mergeFacts } from '../aggregation/schema.js';
import { written } from './written.js';

/** Models whose schemas are in memory at once. Facts of their removed keys may take several times as much. */
const MODELS_AT_ONCE = 10;
/** Parts of a model that may wait, and their bytes on the disk. Reads add all of them up, and a merge has them in memory. */
const PARTS_MAX = 64;
const PARTS_BYTES_MAX = 524_288;

/** A version whose counts its model keeps. */
export type RemovedVersion = CountedVersion & { eventId: string };

/**
 * Keeps the key counts of removed versions with their models. A model with dynamic keys loses versions in every flush, and its facts may
 * have a megabyte. So a flush writes the few counts that it adds as a part, and every 64th rewrites the facts.
 */
@Injectable()
export class KeyFactsRepository {
  /** Adds the counts of versions. The transaction has locked their models. */
  async add(sql: Sql, removed: readonly RemovedVersion[]): Promise<void> {
    const byModel = Map.groupBy(removed, ({ eventId }) => eventId);
    for (const some of chunksOf([...byModel], { itemsMax: MODELS_AT_ONCE })) await this.addParts(sql, some);
    for (const eventId of await this.withManyParts(sql, [...byModel.keys()])) await this.merge(sql, eventId);
  }

  private async addParts(sql: Sql, some: readonly [eventId: string, CountedVersion[]][]): Promise<void> {
    const { rows } = await sql.run<{ event_id: string; schema: Record<string, string> }>(
      `SELECT event_id, schema FROM models WHERE event_id = ANY($1::uuid[])`,
      [some.map(([eventId]) => eventId)],
    );
    const schemas = new Map(rows.map(({ event_id, schema }) => [event_id, schema]));
    const slices = new Slices();
    const parts: { eventId: string; entries: Map<string, KeyFacts> }[] = [];
    for (const [eventId, removed] of some) {
      const schema = schemas.get(eventId) ?? {};
      const entries = new Map<string, KeyFacts>();
      for (const version of removed) {
        if (slices.isOver) await slices.next();
        addFacts(entries, version, (path) => Object.hasOwn(schema, path));
      }
      if (entries.size > 0) parts.push({ eventId, entries });
    }
    for await (const rows of written(parts)) {
      await sql.run(
        `INSERT INTO key_fact_parts (event_id, facts)
         SELECT event_id, json::jsonb FROM unnest($1::uuid[], $2::text[]) AS part (event_id, json)`,
        [rows.map(({ eventId }) => eventId), rows.map(({ json }) => json)],
      );
    }
  }

  private async withManyParts(sql: Sql, eventIds: readonly string[]): Promise<string[]> {
    const { rows } = await sql.run<{ event_id: string }>(
      `SELECT event_id FROM key_fact_parts WHERE event_id = ANY($1::uuid[])
       GROUP BY event_id HAVING count(*) >= $2 OR sum(pg_column_size(facts)) > $3`,
      [eventIds, PARTS_MAX, PARTS_BYTES_MAX],
    );
    return rows.map(({ event_id }) => event_id);
  }

  private async merge(sql: Sql, eventId: string): Promise<void> {
    const { rows: parts } = await sql.run<{ facts: Record<string, KeyFacts> }>(
      `DELETE FROM key_fact_parts WHERE event_id = $1 RETURNING facts`,
      [eventId],
    );
    const { rows } = await sql.run<{ facts: Record<string, KeyFacts> }>(
      `SELECT evicted_key_facts AS facts FROM models WHERE event_id = $1`,
      [eventId],
    );
    const slices = new Slices();
    const entries = new Map<string, KeyFacts>();
    for (const { facts } of [...rows, ...parts]) {
      mergeFacts(entries, facts);
      if (slices.isOver) await slices.next();
    }
    for await (const [row] of written([{ entries }])) {
      await sql.run(`UPDATE models SET evicted_key_facts = $2::jsonb WHERE event_id = $1`, [eventId, row?.json]);
    }
  }
}
