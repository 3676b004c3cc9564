import { Injectable } from '@nestjs/common';
import { type EventModel, type EventVersion, SCHEMA_PAGE_ROWS_MAX } from '@weir/contracts';
import type { Sql } from '@weir/messaging';
import { Database } from '@weir/service-kit';
import { compareText } from '../aggregation/schema.js';
import { keyset } from '../sql/keyset.js';
import { timestampSql } from '../sql/timestamp.js';

/** Bytes of one page. The rest of a message is for field names and the envelope. */
export const PAGE_BYTES_MAX = 786_432;

export interface Page<Row> {
  rows: Row[];
  /** The ID to continue after. Missing on the last page. */
  next?: number;
}

interface PageQuery {
  table: 'models' | 'versions';
  columns: string;
  /** Text of customers beside the schema. */
  label: string;
  scope: Record<string, string | undefined>;
  after: number;
  limit: number;
}

/** The schema is JSON text. `matched` is the number of rows before the page was cut to size. */
type PageRow<Row> = Omit<Row, 'Schema'> & { ID: number; Schema: string; matched: number };

/**
 * Reads one page by id. Cuts it where its bytes exceed PAGE_BYTES_MAX, but the first row always stays. Looks one row further, to
 * know whether there are more. A schema becomes text once, to be measured and to be sent, because that takes most of the time.
 */
async function readPage<Row>(sql: Sql, { table, columns, label, scope, after, limit }: PageQuery): Promise<Page<Row>> {
  const { where, order, parameters } = keyset(table, scope, after);
  const [limitPlace, bytesPlace] = [`$${parameters.length + 1}::int`, `$${parameters.length + 2}`];
  const { rows: found } = await sql.run<PageRow<Row>>(
    `SELECT ${columns}, schema_text AS "Schema", matched FROM (
       SELECT *, count(*) OVER ()::int AS matched, row_number() OVER page AS place,
         sum(octet_length(schema_text) + octet_length(to_json(label)::text) + 512) OVER page AS bytes
       FROM (
         SELECT *, schema::text AS schema_text, ${label} AS label FROM ${table}
         WHERE ${where} ORDER BY ${order} LIMIT ${limitPlace} + 1
       ) AS ${table} WINDOW page AS (ORDER BY ${order})
     ) AS ${table}
     WHERE place <= ${limitPlace} AND (bytes <= ${bytesPlace} OR place = 1) ORDER BY ${order}`,
    [...parameters, limit, PAGE_BYTES_MAX],
  );
  const last = found.at(-1);
  const rows = found.map(({ matched: _, ...row }) => ({ ...row, Schema: JSON.parse(row.Schema) }) as Row);
  return last && last.matched > found.length ? { rows, next: last.ID } : { rows };
}

export interface ModelFilter {
  workspaceId?: string | undefined;
  writeKey?: string | undefined;
}
interface PageAfter {
  after: number;
  limit?: number | undefined;
}

/** The columns of an index that serves this filter. */
export const scopeOf = ({ workspaceId, writeKey }: ModelFilter) => ({ workspace_id: workspaceId, write_key: writeKey });

const MODEL_COLUMNS = `
  id::float8 AS "ID", event_id AS "EventID", write_key AS "WriteKey", event_type AS "EventType",
  event_identifier AS "EventIdentifier", ${timestampSql('created_at')} AS "CreatedAt",
  ${timestampSql('last_seen')} AS "LastSeen", total_count::float8 AS "TotalCount"`;

/** Reads the models that the collector wrote. */
@Injectable()
export class ModelRepository {
  constructor(private readonly database: Database) {}

  /** Every source and workspace, unless one is named. */
  list({ limit = SCHEMA_PAGE_ROWS_MAX, after, ...filter }: ModelFilter & PageAfter): Promise<Page<EventModel>> {
    const label = 'event_type || event_identifier';
    const scope = scopeOf(filter);
    return readPage(this.database, { table: 'models', columns: MODEL_COLUMNS, label, scope, after, limit });
  }

  /** The workspace of a model, by either id. */
  async ownerOf(id: { eventId: string | undefined; versionId: string | undefined }): Promise<string | undefined> {
    const { rows } = await this.database.run<{ workspaceId: string }>(
      `SELECT workspace_id AS "workspaceId" FROM models
       WHERE event_id = coalesce($1::uuid, (SELECT event_id FROM versions WHERE version_id = $2::uuid))`,
      [id.eventId ?? null, id.versionId ?? null],
    );
    return rows[0]?.workspaceId;
  }

  /** Number of events that carry each path of the model's schema: the totals of its versions, including removed ones. */
  async keyCounts(eventId: string): Promise<Map<string, number> | undefined> {
    const { rows } = await this.database.run<{ key: string | null; count: number }>(
      `WITH model AS (SELECT schema, evicted_key_facts FROM models WHERE event_id = $1),
       counts AS (
         SELECT key, sum(count) AS count FROM (
           SELECT key, total_count AS count FROM versions, jsonb_object_keys(schema) AS key WHERE event_id = $1
           UNION ALL SELECT key, (value ->> 'events')::bigint FROM model, jsonb_each(evicted_key_facts)
           UNION ALL SELECT key, (value ->> 'events')::bigint FROM key_fact_parts, jsonb_each(facts) WHERE event_id = $1
         ) AS counted GROUP BY key
       )
       SELECT key, coalesce(count, 0)::float8 AS count
       FROM model LEFT JOIN LATERAL jsonb_object_keys(model.schema) AS key ON true LEFT JOIN counts USING (key)`,
      [eventId],
    );
    if (rows.length === 0) return undefined;
    const counts = rows.flatMap(({ key, count }): [string, number][] => (key === null ? [] : [[key, count]]));
    return new Map(counts.sort(([left], [right]) => compareText(left, right)));
  }
}

type StoredSchema = Record<string, string>;

const VERSION_COLUMNS = `
  id::float8 AS "ID", version_id AS "VersionID", event_id AS "EventModelID",
  ${timestampSql('first_seen')} AS "FirstSeen", ${timestampSql('last_seen')} AS "LastSeen",
  total_count::float8 AS "TotalCount"`;

/** Reads the versions that the collector wrote. */
@Injectable()
export class VersionRepository {
  constructor(private readonly database: Database) {}

  list(event_id: string, after: number, limit = SCHEMA_PAGE_ROWS_MAX): Promise<Page<EventVersion>> {
    const scope = { event_id };
    return readPage(this.database, { table: 'versions', columns: VERSION_COLUMNS, label: `''`, scope, after, limit });
  }

  /** The version's schema and that of its model. */
  async schemas(
    versionId: string,
  ): Promise<{ eventId: string; version: StoredSchema; model: StoredSchema } | undefined> {
    const { rows } = await this.database.run<{ eventId: string; version: StoredSchema; model: StoredSchema }>(
      `SELECT event_id AS "eventId", versions.schema AS version, models.schema AS model
       FROM versions JOIN models USING (event_id) WHERE version_id = $1`,
      [versionId],
    );
    return rows[0];
  }
}
