import { Injectable } from '@nestjs/common';
import type { Sql } from '@weir/messaging';
import type { ModelDelta, VersionDelta } from '../aggregation/aggregator.js';
import { VERSIONS_PER_MODEL_MAX } from '../aggregation/limits.js';
import { unionSchemas } from '../aggregation/schema-union.js';

/** Models whose schemas are in memory at once; each has at most 512 KiB. */
const SCHEMAS_AT_ONCE = 100;

export interface EvictedVersion {
  versionId: string;
  eventId: string;
}

const jsonOf = (map: ReadonlyMap<string, unknown>) => JSON.stringify(Object.fromEntries(map));

/** Adds to the versions of models that the transaction has locked. */
@Injectable()
export class VersionDeltaRepository {
  /** Makes the versions that are missing and adds to all totals; answers the models that got a new version. */
  async addTotals(sql: Sql, models: readonly ModelDelta[]): Promise<Map<ModelDelta, VersionDelta[]>> {
    const all = models.flatMap(({ versions }) => [...versions.values()]);
    const rows = await sql.query<{ version_id: string }[]>(
      `SELECT version_id FROM versions WHERE version_id = ANY($1::uuid[])`,
      [all.map(({ versionId }) => versionId)],
    );
    const known = new Set(rows.map(({ version_id }) => version_id));
    const fresh = new Map<ModelDelta, VersionDelta[]>();
    for (const model of models) {
      const versions = [...model.versions.values()].filter(({ versionId }) => !known.has(versionId));
      if (versions.length > 0) fresh.set(model, versions);
    }
    await this.insert(sql, fresh);
    await sql.query(
      `UPDATE versions SET total_count = total_count + delta.count, last_seen = greatest(last_seen, delta.seen)
       FROM unnest($1::uuid[], $2::bigint[], $3::timestamptz[]) AS delta (version_id, count, seen)
       WHERE versions.version_id = delta.version_id`,
      [all.map(({ versionId }) => versionId), all.map(({ count }) => count), all.map(({ lastSeen }) => lastSeen)],
    );
    return fresh;
  }

  /** A model's schema changes only when a version is new, so this large column is written rarely. */
  async extendSchemas(sql: Sql, fresh: ReadonlyMap<ModelDelta, readonly VersionDelta[]>): Promise<void> {
    const all = [...fresh];
    for (let at = 0; at < all.length; at += SCHEMAS_AT_ONCE) {
      await this.extendSome(sql, all.slice(at, at + SCHEMAS_AT_ONCE));
    }
  }

  /**
   * Removes versions beyond VERSIONS_PER_MODEL_MAX, those unseen for longest first; what they counted stays in the model's
   * key counts. A removed shape that returns is a version with its former VersionID that counts from zero.
   */
  async evict(sql: Sql, eventIds: readonly string[]): Promise<EvictedVersion[]> {
    const evicted = await sql.query<(EvictedVersion & { schema: Record<string, string>; count: number })[]>(
      `SELECT version_id AS "versionId", event_id AS "eventId", schema, total_count::float8 AS count
       FROM (
         SELECT *, row_number() OVER (PARTITION BY event_id ORDER BY last_seen DESC, id DESC) AS rank
         FROM versions WHERE event_id = ANY($1::uuid[])
       ) AS ranked WHERE rank > $2`,
      [eventIds, VERSIONS_PER_MODEL_MAX],
    );
    for (const eventId of new Set(evicted.map((version) => version.eventId))) {
      await this.keepCounts(
        sql,
        eventId,
        evicted.filter((version) => version.eventId === eventId),
      );
    }
    const ids = evicted.map(({ versionId }) => versionId);
    if (ids.length > 0) await sql.query(`DELETE FROM versions WHERE version_id = ANY($1::uuid[])`, [ids]);
    return evicted;
  }

  private async insert(sql: Sql, fresh: ReadonlyMap<ModelDelta, readonly VersionDelta[]>): Promise<void> {
    const rows = [...fresh].flatMap(([{ eventId }, versions]) => versions.map((version) => ({ eventId, ...version })));
    if (rows.length === 0) return;
    await sql.query(
      `INSERT INTO versions (version_id, event_id, schema, first_seen, last_seen)
       SELECT version_id, event_id, schema::jsonb, seen, seen
       FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[]) AS fresh (version_id, event_id, schema, seen)`,
      [
        rows.map(({ versionId }) => versionId),
        rows.map(({ eventId }) => eventId),
        rows.map(({ schema }) => jsonOf(schema)),
        rows.map(({ firstSeen }) => firstSeen),
      ],
    );
  }

  private async extendSome(sql: Sql, some: readonly [ModelDelta, readonly VersionDelta[]][]): Promise<void> {
    const rows = await sql.query<{ event_id: string; schema: Record<string, string> }[]>(
      `SELECT event_id, schema FROM models WHERE event_id = ANY($1::uuid[])`,
      [some.map(([{ eventId }]) => eventId)],
    );
    const stored = new Map(rows.map(({ event_id, schema }) => [event_id, new Map(Object.entries(schema))]));
    const changed = some.flatMap(([{ eventId }, versions]) => {
      const union = unionSchemas(
        stored.get(eventId) ?? new Map(),
        versions.map(({ schema }) => schema),
      );
      return union ? [{ eventId, schema: jsonOf(union) }] : [];
    });
    await sql.query(
      `UPDATE models SET schema = changed.schema::jsonb
       FROM unnest($1::uuid[], $2::text[]) AS changed (event_id, schema) WHERE models.event_id = changed.event_id`,
      [changed.map(({ eventId }) => eventId), changed.map(({ schema }) => schema)],
    );
  }

  private async keepCounts(
    sql: Sql,
    eventId: string,
    evicted: readonly { schema: Record<string, string>; count: number }[],
  ): Promise<void> {
    const [row] = await sql.query<{ counts: Record<string, number>; schema: Record<string, string> }[]>(
      `SELECT evicted_key_counts AS counts, schema FROM models WHERE event_id = $1`,
      [eventId],
    );
    const counts = new Map(Object.entries(row?.counts ?? {}));
    const described = new Set(Object.keys(row?.schema ?? {}));
    for (const { schema, count } of evicted) {
      for (const path of Object.keys(schema)) {
        if (described.has(path)) counts.set(path, (counts.get(path) ?? 0) + count);
      }
    }
    await sql.query(`UPDATE models SET evicted_key_counts = $2 WHERE event_id = $1`, [eventId, jsonOf(counts)]);
  }
}
