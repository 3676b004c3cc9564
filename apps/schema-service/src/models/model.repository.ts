import { Injectable } from '@nestjs/common';
import { type EventModel, SCHEMA_PAGE_ROWS_MAX } from '@weir/contracts';
import { DataSource } from 'typeorm';
import { timestampSql } from '../sql/timestamp.js';
import { PAGE_BYTES_MAX } from './limits.js';
import { type Page, type PageRow, pageOf, pageSql } from './page.js';

const COLUMNS = `
  id::float8 AS "ID", event_id AS "EventID", write_key AS "WriteKey", event_type AS "EventType",
  event_identifier AS "EventIdentifier", ${timestampSql('created_at')} AS "CreatedAt", schema AS "Schema",
  ${timestampSql('last_seen')} AS "LastSeen", total_count::float8 AS "TotalCount"`;

const LIST_SQL = pageSql(
  COLUMNS,
  `SELECT *, event_type || event_identifier AS label FROM models
   WHERE ($1::text IS NULL OR write_key = $1) AND id > $2 ORDER BY id LIMIT $3 + 1`,
  '$3',
  '$4',
);

/** Reads the models that the collector wrote. */
@Injectable()
export class ModelRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @param writeKey Undefined selects every source. */
  async list(writeKey: string | undefined, after: number, limit = SCHEMA_PAGE_ROWS_MAX): Promise<Page<EventModel>> {
    const parameters = [writeKey ?? null, after, limit, PAGE_BYTES_MAX];
    return pageOf(await this.dataSource.query<PageRow<EventModel>[]>(LIST_SQL, parameters));
  }

  /** Every key of the model's schema. */
  async paths(eventId: string): Promise<string[]> {
    const rows: { key: string }[] = await this.dataSource.query(
      `SELECT jsonb_object_keys(schema) AS key FROM models WHERE event_id = $1`,
      [eventId],
    );
    return rows.map(({ key }) => key);
  }

  /** Number of events that carry each path of the model's schema: the totals of its versions, including removed ones. */
  async keyCounts(eventId: string): Promise<Map<string, number> | undefined> {
    const rows = await this.dataSource.query<{ key: string | null; count: number }[]>(
      `WITH model AS (SELECT schema, evicted_key_facts FROM models WHERE event_id = $1),
       counts AS (
         SELECT key, total_count AS count FROM versions, jsonb_object_keys(schema) AS key WHERE event_id = $1
         UNION ALL SELECT key, (value ->> 'events')::bigint FROM model, jsonb_each(evicted_key_facts)
       )
       SELECT key, coalesce(sum(count), 0)::float8 AS count
       FROM model LEFT JOIN LATERAL jsonb_object_keys(model.schema) AS key ON true LEFT JOIN counts USING (key)
       GROUP BY key ORDER BY key COLLATE "C"`,
      [eventId],
    );
    if (rows.length === 0) return undefined;
    return new Map(rows.flatMap(({ key, count }): [string, number][] => (key === null ? [] : [[key, count]])));
  }
}
