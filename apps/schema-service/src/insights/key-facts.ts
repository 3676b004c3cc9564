import { Injectable } from '@nestjs/common';
import type { KeyFact } from '@weir/contracts';
import { Slices } from '@weir/messaging';
import { Database } from '@weir/service-kit';
import { addFacts, type CountedVersion, compareText, type KeyFacts, mergeFacts } from '../aggregation/schema.js';
import { type ModelFilter, PAGE_BYTES_MAX, scopeOf } from '../models/models.repository.js';
import { keyset } from '../sql/keyset.js';
import { timestampSql } from '../sql/timestamp.js';

/** A model and the facts of its keys over all its events. */
export interface CountedModel {
  id: number;
  eventId: string;
  writeKey: string;
  eventType: string;
  eventIdentifier: string;
  totalCount: number;
  schema: Record<string, string>;
  facts: Map<string, KeyFacts>;
}

interface ModelRow extends Omit<CountedModel, 'facts'> {
  evicted: Record<string, KeyFacts>;
}

interface Snapshot {
  found: ModelRow | undefined;
  /** Facts of removed versions that are not part of the model's yet. */
  parts: Record<string, KeyFacts>[];
  versions: CountedVersion[];
}

const MODEL = `
  id::float8 AS id, event_id AS "eventId", write_key AS "writeKey", event_type AS "eventType",
  event_identifier AS "eventIdentifier", total_count::float8 AS "totalCount", schema, evicted_key_facts AS evicted`;

/** Counts the keys of models from the totals of their versions, including removed ones. */
@Injectable()
export class KeyCountRepository {
  constructor(private readonly dataSource: Database) {}

  /** The versions of a model may have a hundred thousand keys together, so counting them gives way to others. */
  async one(eventId: string): Promise<CountedModel | undefined> {
    const { found, parts, versions } = await this.snapshot(eventId);
    if (!found) return undefined;
    const { evicted, ...model } = found;
    const facts = new Map(Object.entries(evicted));
    const slices = new Slices();
    for (const part of parts) {
      mergeFacts(facts, part);
      if (slices.isOver) await slices.next();
    }
    for (const version of versions) {
      if (slices.isOver) await slices.next();
      addFacts(facts, version, (path) => Object.hasOwn(model.schema, path));
    }
    return { ...model, facts };
  }

  /** Every source and workspace, unless one is named. */
  async list(filter: ModelFilter, after: number, limit: number): Promise<Pick<CountedModel, 'id' | 'eventId'>[]> {
    const { where, order, parameters } = keyset('models', scopeOf(filter), after);
    const { rows } = await this.dataSource.run<Pick<CountedModel, 'id' | 'eventId'>>(
      `SELECT id::float8 AS id, event_id AS "eventId" FROM models WHERE ${where} ORDER BY ${order}
       LIMIT $${parameters.length + 1}`,
      [...parameters, limit],
    );
    return rows;
  }

  /** Reads a model and its versions as of one moment. A flush between the queries would make them disagree. */
  private snapshot(eventId: string): Promise<Snapshot> {
    return this.dataSource.transaction('REPEATABLE READ', async (sql) => {
      const { rows } = await sql.run<ModelRow>(`SELECT ${MODEL} FROM models WHERE event_id = $1`, [eventId]);
      const { rows: parts } = await sql.run<{ facts: Record<string, KeyFacts> }>(
        `SELECT facts FROM key_fact_parts WHERE event_id = $1`,
        [eventId],
      );
      const { rows: versions } = await sql.run<CountedVersion>(
        `SELECT schema, total_count::float8 AS count,
           ${timestampSql('first_seen')} AS "firstSeen", ${timestampSql('last_seen')} AS "lastSeen"
         FROM versions WHERE event_id = $1`,
        [eventId],
      );
      return { found: rows[0], parts: parts.map(({ facts }) => facts), versions };
    });
  }
}

/** Facts of the keys after `after`, as many as fit one message. */
export function keyFactsPage(model: CountedModel, after: string | undefined): { keys: KeyFact[]; next?: string } {
  const paths = [...model.facts.keys()].sort(compareText).filter((path) => after === undefined || path > after);
  const keys: KeyFact[] = [];
  let bytes = 0;
  for (const path of paths) {
    const fact = factOf(model, path);
    bytes += Buffer.byteLength(JSON.stringify(fact)) + 1;
    const last = keys.at(-1);
    if (last && bytes > PAGE_BYTES_MAX) return { keys, next: last.Key };
    keys.push(fact);
  }
  return { keys };
}

function factOf({ facts, totalCount }: CountedModel, path: string): KeyFact {
  const { events = 0, types = {}, firstSeen = '', lastSeen = '' } = facts.get(path) ?? {};
  const shares = Object.entries(types).map(([Type, count]) => ({ Type, Events: count, Share: count / events }));
  return {
    Key: path,
    Events: events,
    Share: events / totalCount,
    Types: shares.sort((left, right) => right.Events - left.Events || compareText(left.Type, right.Type)),
    FirstSeen: firstSeen,
    LastSeen: lastSeen,
  };
}
