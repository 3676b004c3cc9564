import { Injectable } from '@nestjs/common';
import { DRIFT_PAGE_SIZE, type DriftNotice, type ListDrift, type RequestOf, startAfter } from '@weir/contracts';
import { Database } from '@weir/service-kit';
import { keyset } from '../sql/keyset.js';
import { timestampSql } from '../sql/timestamp.js';

/** A notice as its row stores it. Missing fields are null. */
type Row = { [Field in keyof DriftNotice]: DriftNotice[Field] | null };

/** Reads the notices that the collector wrote. */
@Injectable()
export class DriftListRepository {
  constructor(private readonly dataSource: Database) {}

  /** Returns one notice more than the limit if there are more. */
  async list(request: RequestOf<typeof ListDrift>) {
    const { workspaceId, writeKey, kind, order: direction, limit = DRIFT_PAGE_SIZE } = request;
    const after = startAfter(request.after, direction);
    // A model or a source has few notices, so the rest may filter them.
    const scope = scopeOf(request);
    const { where, order, parameters } = keyset('drift_notices', scope, after, direction);
    const filter = (column: string, value: string | undefined) => (column in scope ? null : (value ?? null));
    const [source, kindPlace, limitPlace] = [1, 2, 3].map((place) => `$${parameters.length + place}`);
    const { rows } = await this.dataSource.run<Row & { owner: string }>(
      `SELECT drift_notices.id::float8 AS "ID", kind AS "Kind", event_id AS "EventID", models.write_key AS "WriteKey",
         event_type AS "EventType", event_identifier AS "EventIdentifier", version_id AS "VersionID", keys AS "Keys",
         types_before AS "TypesBefore", types_after AS "TypesAfter", ${timestampSql('noticed_at')} AS "NoticedAt",
         models.workspace_id AS owner
       FROM drift_notices JOIN models USING (event_id)
       WHERE ${where} AND (${source}::text IS NULL OR drift_notices.write_key = ${source})
         AND (${kindPlace}::text IS NULL OR kind = ${kindPlace})
       ORDER BY ${order} LIMIT ${limitPlace} + 1`,
      [...parameters, filter('write_key', writeKey), filter('kind', kind), limit],
    );
    // All notices of a model or a source are of one workspace. As a condition, this would lead PostgreSQL to sort them.
    return rows
      .filter(({ owner }) => workspaceId === undefined || owner === workspaceId)
      .map(({ owner: _, ...row }) => withoutNulls(row));
  }
}

type Filter = Pick<RequestOf<typeof ListDrift>, 'workspaceId' | 'writeKey' | 'eventId' | 'kind'>;

/** The columns of the index that finds the fewest rows. */
function scopeOf({ workspaceId, writeKey, eventId, kind }: Filter): Record<string, string | undefined> {
  if (eventId !== undefined) return { event_id: eventId };
  return writeKey === undefined ? { workspace_id: workspaceId, kind } : { write_key: writeKey, kind };
}

const withoutNulls = (row: Row) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as DriftNotice;
