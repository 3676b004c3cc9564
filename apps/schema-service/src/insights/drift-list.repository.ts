import { Injectable } from '@nestjs/common';
import { DRIFT_PAGE_SIZE, type DriftNotice, type ListDrift, type RequestOf } from '@weir/contracts';
import { DataSource } from 'typeorm';
import { timestampSql } from '../sql/timestamp.js';

/** A notice as its row stores it. Missing fields are null. */
type Row = { [Field in keyof DriftNotice]: DriftNotice[Field] | null };

/** Reads the notices that the collector wrote. */
@Injectable()
export class DriftListRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns one notice more than the limit if there are more. */
  async list({ writeKey, eventId, kind, after = 0, limit = DRIFT_PAGE_SIZE }: RequestOf<typeof ListDrift>) {
    const rows: Row[] = await this.dataSource.query(
      `SELECT drift_notices.id::float8 AS "ID", kind AS "Kind", event_id AS "EventID", write_key AS "WriteKey",
         event_type AS "EventType", event_identifier AS "EventIdentifier", version_id AS "VersionID", keys AS "Keys",
         types_before AS "TypesBefore", types_after AS "TypesAfter", ${timestampSql('noticed_at')} AS "NoticedAt"
       FROM drift_notices JOIN models USING (event_id)
       WHERE ($1::text IS NULL OR write_key = $1) AND ($2::uuid IS NULL OR event_id = $2)
         AND ($3::text IS NULL OR kind = $3) AND drift_notices.id > $4
       ORDER BY drift_notices.id LIMIT $5 + 1`,
      [writeKey ?? null, eventId ?? null, kind ?? null, after, limit],
    );
    return rows.map(
      (row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as DriftNotice,
    );
  }
}
