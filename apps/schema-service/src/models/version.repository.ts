import { Injectable } from '@nestjs/common';
import { type EventVersion, SCHEMA_PAGE_ROWS_MAX } from '@weir/contracts';
import { DataSource } from 'typeorm';
import { timestampSql } from '../sql/timestamp.js';
import { PAGE_BYTES_MAX } from './limits.js';
import { type Page, type PageRow, pageOf, pageSql } from './page.js';

type StoredSchema = Record<string, string>;

const COLUMNS = `
  id::float8 AS "ID", version_id AS "VersionID", event_id AS "EventModelID", schema AS "Schema",
  ${timestampSql('first_seen')} AS "FirstSeen", ${timestampSql('last_seen')} AS "LastSeen",
  total_count::float8 AS "TotalCount"`;

const LIST_SQL = pageSql(
  COLUMNS,
  `SELECT *, '' AS label FROM versions WHERE event_id = $1 AND id > $2 ORDER BY id LIMIT $3 + 1`,
  '$3',
  '$4',
);

/** Reads the versions that the collector wrote. */
@Injectable()
export class VersionRepository {
  constructor(private readonly dataSource: DataSource) {}

  async list(eventId: string, after: number, limit = SCHEMA_PAGE_ROWS_MAX): Promise<Page<EventVersion>> {
    const parameters = [eventId, after, limit, PAGE_BYTES_MAX];
    return pageOf(await this.dataSource.query<PageRow<EventVersion>[]>(LIST_SQL, parameters));
  }

  /** The version's schema and that of its model. */
  async schemas(
    versionId: string,
  ): Promise<{ eventId: string; version: StoredSchema; model: StoredSchema } | undefined> {
    const [row] = await this.dataSource.query(
      `SELECT event_id AS "eventId", versions.schema AS version, models.schema AS model
       FROM versions JOIN models USING (event_id) WHERE version_id = $1`,
      [versionId],
    );
    return row;
  }
}
