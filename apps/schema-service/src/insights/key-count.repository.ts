import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { addFacts, type CountedVersion, type KeyFacts } from '../aggregation/key-facts.js';
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

const MODEL = `
  id::float8 AS id, event_id AS "eventId", write_key AS "writeKey", event_type AS "eventType",
  event_identifier AS "eventIdentifier", total_count::float8 AS "totalCount", schema, evicted_key_facts AS evicted`;

/** Counts the keys of models from the totals of their versions, including removed ones. */
@Injectable()
export class KeyCountRepository {
  constructor(private readonly dataSource: DataSource) {}

  async one(eventId: string): Promise<CountedModel | undefined> {
    const [model] = await this.counted(`SELECT ${MODEL} FROM models WHERE event_id = $1`, [eventId]);
    return model;
  }

  /** @param writeKey Undefined selects every source. */
  list(writeKey: string | undefined, after: number, limit: number): Promise<CountedModel[]> {
    return this.counted(
      `SELECT ${MODEL} FROM models WHERE ($1::text IS NULL OR write_key = $1) AND id > $2 ORDER BY id LIMIT $3`,
      [writeKey ?? null, after, limit],
    );
  }

  /** Reads models and versions in one snapshot. A flush between the two queries would make them disagree. */
  private counted(modelSql: string, parameters: unknown[]): Promise<CountedModel[]> {
    return this.dataSource.transaction('REPEATABLE READ', async (sql) => {
      const rows: ModelRow[] = await sql.query(modelSql, parameters);
      const versions: (CountedVersion & { eventId: string })[] = await sql.query(
        `SELECT event_id AS "eventId", schema, total_count::float8 AS count,
           ${timestampSql('first_seen')} AS "firstSeen", ${timestampSql('last_seen')} AS "lastSeen"
         FROM versions WHERE event_id = ANY($1::uuid[])`,
        [rows.map(({ eventId }) => eventId)],
      );
      const byModel = Map.groupBy(versions, ({ eventId }) => eventId);
      return rows.map(({ evicted, ...model }) => {
        const facts = new Map(Object.entries(evicted));
        for (const version of byModel.get(model.eventId) ?? []) {
          addFacts(facts, version, (path) => Object.hasOwn(model.schema, path));
        }
        return { ...model, facts };
      });
    });
  }
}
