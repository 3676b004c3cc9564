import { Inject, Injectable } from '@nestjs/common';
import { chunksOf } from '@weir/contracts';
import { Slices, type Sql } from '@weir/messaging';
import { CONFIG } from '@weir/service-kit';
import type { ModelDelta, VersionDelta } from '../aggregation/aggregator.js';
import { addFacts, type CountedVersion, type KeyFacts, type Schema, unionSchemas } from '../aggregation/schema.js';
import type { CollectorConfig } from '../config.js';
import { timestampSql } from '../sql/timestamp.js';
import { type DriftNotice, driftOf } from './drift.js';

/** Models whose schemas are in memory at once. Each schema has at most 512 KiB. */
const SCHEMAS_AT_ONCE = 100;

export interface EvictedVersion {
  versionId: string;
  eventId: string;
}

/** Characters of schemas per statement. The driver escapes every quote of an array parameter in one go. */
const SCHEMA_CHARS_AT_ONCE = 131_072;

/** Serialises without building an object, because V8 takes ten times as long for objects with keys that it has not seen. */
const jsonOf = (entries: Iterable<readonly [string, unknown]>) =>
  `{${Array.from(entries, ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join()}}`;

/** A row with its schema as JSON. */
type Written<T> = T & { json: string };

/** Yields as many rows as fit one statement. Works in slices, because each row may have a thousand paths. */
async function* written<T extends { schema: Schema }>(rows: readonly T[]): AsyncGenerator<Written<T>[]> {
  const slices = new Slices();
  let some: Written<T>[] = [];
  let chars = 0;
  for (const row of rows) {
    if (slices.isOver) await slices.next();
    const json = jsonOf(row.schema);
    some.push({ ...row, json });
    chars += json.length;
    if (chars < SCHEMA_CHARS_AT_ONCE) continue;
    yield some;
    [some, chars] = [[], 0];
  }
  if (some.length > 0) yield some;
}

interface InsertedVersion {
  versionId: string;
  row: number;
}

/** Result of adding the versions of a flush. */
export interface AddedVersions {
  /** Row id of each version. */
  rows: Map<string, number>;
  /** New versions by model, in first-seen order. */
  fresh: Map<ModelDelta, VersionDelta[]>;
}

/** Adds to the versions of models that the transaction has locked. */
@Injectable()
export class VersionDeltaRepository {
  constructor(@Inject(CONFIG) private readonly config: Pick<CollectorConfig, 'versionsPerModel'>) {}

  /** Adds to all totals and creates missing versions. */
  async addTotals(sql: Sql, models: readonly ModelDelta[]): Promise<AddedVersions> {
    const all = models.flatMap(({ versions }) => [...versions.values()]);
    const { rows: known } = await sql.run<{ versionId: string; row: number }>(
      `UPDATE versions SET total_count = total_count + delta.count, last_seen = greatest(last_seen, delta.seen)
       FROM unnest($1::uuid[], $2::bigint[], $3::timestamptz[]) AS delta (version_id, count, seen)
       WHERE versions.version_id = delta.version_id
       RETURNING versions.version_id AS "versionId", versions.id::float8 AS row`,
      [all.map(({ versionId }) => versionId), all.map(({ count }) => count), all.map(({ lastSeen }) => lastSeen)],
    );
    const rows = new Map(known.map(({ versionId, row }) => [versionId, row]));
    const fresh = new Map<ModelDelta, VersionDelta[]>();
    for (const model of models) {
      const versions = [...model.versions.values()].filter(({ versionId }) => !rows.has(versionId));
      if (versions.length > 0) fresh.set(model, versions);
    }
    for (const { versionId, row } of await this.insert(sql, fresh)) rows.set(versionId, row);
    return { rows, fresh };
  }

  /**
   * Extends schemas with the new versions and returns what changed. Only a new version changes this large column, so it is rarely
   * written.
   */
  async extendSchemas(sql: Sql, fresh: AddedVersions['fresh']): Promise<DriftNotice[]> {
    const notices: DriftNotice[] = [];
    for (const some of chunksOf([...fresh], { itemsMax: SCHEMAS_AT_ONCE })) {
      notices.push(...(await this.extendSome(sql, some)));
    }
    return notices;
  }

  /**
   * Removes the excess versions of models, longest unseen first. Their counts stay in the model's key counts. If a removed shape
   * returns, its version has the same VersionID and counts from zero.
   */
  async evict(sql: Sql, eventIds: readonly string[]): Promise<EvictedVersion[]> {
    if (eventIds.length === 0) return [];
    const { rows: evicted } = await sql.run<EvictedVersion & CountedVersion>(
      `SELECT version_id AS "versionId", event_id AS "eventId", schema, total_count::float8 AS count,
         ${timestampSql('first_seen')} AS "firstSeen", ${timestampSql('last_seen')} AS "lastSeen"
       FROM (
         SELECT *, row_number() OVER (PARTITION BY event_id ORDER BY last_seen DESC, id DESC) AS rank
         FROM versions WHERE event_id = ANY($1::uuid[])
       ) AS ranked WHERE rank > $2`,
      [eventIds, this.config.versionsPerModel],
    );
    for (const [eventId, versions] of Map.groupBy(evicted, (version) => version.eventId)) {
      await this.keepFacts(sql, eventId, versions);
    }
    const ids = evicted.map(({ versionId }) => versionId);
    if (ids.length > 0) await sql.run(`DELETE FROM versions WHERE version_id = ANY($1::uuid[])`, [ids]);
    return evicted;
  }

  private async insert(sql: Sql, fresh: AddedVersions['fresh']): Promise<InsertedVersion[]> {
    const inserted: InsertedVersion[] = [];
    const rows = [...fresh].flatMap(([{ eventId }, versions]) => versions.map((version) => ({ eventId, ...version })));
    for await (const some of written(rows)) inserted.push(...(await this.insertSome(sql, some)));
    return inserted;
  }

  private async insertSome(
    sql: Sql,
    rows: readonly Written<VersionDelta & { eventId: string }>[],
  ): Promise<InsertedVersion[]> {
    const { rows: inserted } = await sql.run<InsertedVersion>(
      `INSERT INTO versions (version_id, event_id, schema, total_count, first_seen, last_seen)
       SELECT version_id, event_id, schema::jsonb, count, first_seen, last_seen
       FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::timestamptz[], $6::timestamptz[])
         AS fresh (version_id, event_id, schema, count, first_seen, last_seen)
       RETURNING version_id AS "versionId", id::float8 AS row`,
      [
        rows.map(({ versionId }) => versionId),
        rows.map(({ eventId }) => eventId),
        rows.map(({ json }) => json),
        rows.map(({ count }) => count),
        rows.map(({ firstSeen }) => firstSeen),
        rows.map(({ lastSeen }) => lastSeen),
      ],
    );
    return inserted;
  }

  private async extendSome(sql: Sql, some: readonly [ModelDelta, VersionDelta[]][]): Promise<DriftNotice[]> {
    const { rows } = await sql.run<{ event_id: string; schema: Record<string, string> }>(
      `SELECT event_id, schema FROM models WHERE event_id = ANY($1::uuid[])`,
      [some.map(([{ eventId }]) => eventId)],
    );
    const stored = new Map(rows.map(({ event_id, schema }) => [event_id, new Map(Object.entries(schema))]));
    const unions = await new Slices().map(some, ([{ eventId }, versions]) => {
      const before = stored.get(eventId) ?? new Map<string, string>();
      const union = unionSchemas(
        before,
        versions.map(({ schema }) => schema),
      );
      // A model without a schema is new, so its first version is not drift.
      const from = before.size === 0 ? 1 : 0;
      return { eventId, ...union, notices: driftOf(eventId, versions.slice(from), union.changes.slice(from)) };
    });
    for await (const changed of written(unions.filter(({ changes }) => changes.some(({ length }) => length > 0)))) {
      await sql.run(
        `UPDATE models SET schema = changed.schema::jsonb
         FROM unnest($1::uuid[], $2::text[]) AS changed (event_id, schema) WHERE models.event_id = changed.event_id`,
        [changed.map(({ eventId }) => eventId), changed.map(({ json }) => json)],
      );
    }
    return unions.flatMap(({ notices }) => notices);
  }

  private async keepFacts(sql: Sql, eventId: string, evicted: readonly CountedVersion[]): Promise<void> {
    const {
      rows: [row],
    } = await sql.run<{ facts: Record<string, KeyFacts>; schema: Record<string, string> }>(
      `SELECT evicted_key_facts AS facts, schema FROM models WHERE event_id = $1`,
      [eventId],
    );
    const facts = new Map(Object.entries(row?.facts ?? {}));
    const described = new Set(Object.keys(row?.schema ?? {}));
    const slices = new Slices();
    for (const version of evicted) {
      if (slices.isOver) await slices.next();
      addFacts(facts, version, (path) => described.has(path));
    }
    await sql.run(`UPDATE models SET evicted_key_facts = $2 WHERE event_id = $1`, [eventId, jsonOf(facts)]);
  }
}
