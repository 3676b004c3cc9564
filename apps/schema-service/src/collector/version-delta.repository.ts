import { Inject, Injectable } from '@nestjs/common';
import { chunksOf } from '@weir/contracts';
import { Slices, type Sql } from '@weir/messaging';
import { CONFIG } from '@weir/service-kit';
import type { ModelDelta, VersionDelta } from '../aggregation/aggregator.js';
import { MODEL_SCHEMA_BYTES_MAX, SCARCE_SCHEMA_BYTES_MAX } from '../aggregation/limits.js';
import { unionSchemas } from '../aggregation/schema.js';
import type { CollectorConfig } from '../config.js';
import { timestampSql } from '../sql/timestamp.js';
import { type DriftNotice, driftOf } from './drift.js';
import { KeyFactsRepository, type RemovedVersion } from './key-facts.repository.js';
import type { LockedModels } from './model-delta.repository.js';
import { type NewVersions, surplusOf } from './surplus.js';
import { type Entries, type Written, written } from './written.js';

/** Models whose schemas are in memory at once. Each schema has at most 512 KiB. */
const SCHEMAS_AT_ONCE = 100;

export interface EvictedVersion {
  versionId: string;
  eventId: string;
}

/** The surplus as versions in the database are read. */
const countedOf = (surplus: NewVersions): RemovedVersion[] =>
  [...surplus].flatMap(([{ eventId }, versions]) =>
    versions.map(({ schema, count, firstSeen, lastSeen }) => ({
      ...{ eventId, schema, count },
      firstSeen: inMicroseconds(firstSeen),
      lastSeen: inMicroseconds(lastSeen),
    })),
  );

/** From ISO 8601 in milliseconds. */
const inMicroseconds = (at: string) => at.replace('Z', '000Z');

interface StoredVersion {
  versionId: string;
  eventId: string;
  id: number;
}

/** Identifies what a version's statistics hold (`Vain`): they begin anew with a new row, and when those of the model are removed. */
const rowIdOf = ({ eventId, id }: StoredVersion, timesEmptied: ReadonlyMap<string, number>) =>
  `${id}/${timesEmptied.get(eventId) ?? 0}`;

/** Result of adding the versions of a flush. */
export interface AddedVersions {
  /** Row id of each version's statistics. */
  rows: Map<string, string>;
  /** All new versions. */
  fresh: NewVersions;
  /** Those that were not written. */
  surplus: NewVersions;
}

/** Adds to the versions of models that the transaction has locked. */
@Injectable()
export class VersionDeltaRepository {
  constructor(
    private readonly keyFacts: KeyFactsRepository,
    @Inject(CONFIG) private readonly config: Pick<CollectorConfig, 'versionsPerModel'>,
  ) {}

  /** Adds to all totals and creates missing versions, apart from a surplus. */
  async addTotals(
    sql: Sql,
    { admitted, created, full, timesEmptied }: Omit<LockedModels, 'sampled'>,
  ): Promise<AddedVersions> {
    const all = admitted.flatMap(({ versions }) => [...versions.values()]);
    const { rows: known } = await sql.run<StoredVersion>(
      `UPDATE versions SET total_count = total_count + delta.count, last_seen = greatest(last_seen, delta.seen)
       FROM unnest($1::uuid[], $2::bigint[], $3::timestamptz[]) AS delta (version_id, count, seen)
       WHERE versions.version_id = delta.version_id
       RETURNING versions.version_id AS "versionId", event_id AS "eventId", versions.id::float8 AS id`,
      [all.map(({ versionId }) => versionId), all.map(({ count }) => count), all.map(({ lastSeen }) => lastSeen)],
    );
    const rows = new Map(known.map((row) => [row.versionId, rowIdOf(row, timesEmptied)]));
    const fresh: NewVersions = new Map();
    for (const model of admitted) {
      const versions = [...model.versions.values()].filter(({ versionId }) => !rows.has(versionId));
      if (versions.length > 0) fresh.set(model, versions);
    }
    const { versionsPerModel } = this.config;
    const surplus = surplusOf(fresh, {
      versionsPerModel,
      isNew: (model) => created.has(model),
      isFull: (model) => full.has(model),
    });
    for (const row of await this.insert(sql, fresh, surplus)) rows.set(row.versionId, rowIdOf(row, timesEmptied));
    return { rows, fresh, surplus };
  }

  /**
   * Extends schemas with the new versions and returns what changed. Only a new version changes this large column, so it is rarely
   * written. A `full` model takes few paths and has no notices.
   */
  async extendSchemas(sql: Sql, fresh: NewVersions, full: LockedModels['full']): Promise<DriftNotice[]> {
    const notices: DriftNotice[] = [];
    for (const some of chunksOf([...fresh], { itemsMax: SCHEMAS_AT_ONCE })) {
      notices.push(...(await this.extendSome(sql, some, full)));
    }
    return notices;
  }

  /**
   * Removes the excess versions of models, longest unseen first. Their counts stay in the model's key counts, and so do those of the
   * surplus. If a removed shape returns, its version has the same VersionID and counts from zero.
   */
  async evict(sql: Sql, { fresh, surplus }: Omit<AddedVersions, 'rows'>): Promise<EvictedVersion[]> {
    if (fresh.size === 0) return [];
    const eventIds = [...fresh.keys()].map(({ eventId }) => eventId);
    return this.keepLatest(sql, eventIds, this.config.versionsPerModel, countedOf(surplus));
  }

  /** Removes all versions of models but the `kept` seen last. Adds their counts and those of `others` to the models. */
  async keepLatest(
    sql: Sql,
    eventIds: readonly string[],
    kept: number,
    others: readonly RemovedVersion[] = [],
  ): Promise<EvictedVersion[]> {
    const { rows: evicted } = await sql.run<EvictedVersion & RemovedVersion>(
      `SELECT version_id AS "versionId", event_id AS "eventId", schema, total_count::float8 AS count,
         ${timestampSql('first_seen')} AS "firstSeen", ${timestampSql('last_seen')} AS "lastSeen"
       FROM (
         SELECT *, row_number() OVER (PARTITION BY event_id ORDER BY last_seen DESC, id DESC) AS rank
         FROM versions WHERE event_id = ANY($1::uuid[])
       ) AS ranked WHERE rank > $2`,
      [eventIds, kept],
    );
    await this.keyFacts.add(sql, [...evicted, ...others]);
    const ids = evicted.map(({ versionId }) => versionId);
    if (ids.length > 0) await sql.run(`DELETE FROM versions WHERE version_id = ANY($1::uuid[])`, [ids]);
    return evicted;
  }

  private async insert(sql: Sql, fresh: NewVersions, surplus: NewVersions): Promise<StoredVersion[]> {
    const inserted: StoredVersion[] = [];
    const rows = [...fresh].flatMap(([model, versions]) => {
      const left = new Set(surplus.get(model));
      const written = versions.filter((version) => !left.has(version));
      return written.map((version) => ({ eventId: model.eventId, entries: version.schema, ...version }));
    });
    for await (const some of written(rows)) inserted.push(...(await this.insertSome(sql, some)));
    return inserted;
  }

  private async insertSome(
    sql: Sql,
    rows: readonly Written<VersionDelta & { eventId: string }>[],
  ): Promise<StoredVersion[]> {
    const { rows: inserted } = await sql.run<StoredVersion>(
      `INSERT INTO versions (version_id, event_id, schema, total_count, first_seen, last_seen)
       SELECT version_id, event_id, schema::jsonb, count, first_seen, last_seen
       FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::timestamptz[], $6::timestamptz[])
         AS fresh (version_id, event_id, schema, count, first_seen, last_seen)
       RETURNING version_id AS "versionId", event_id AS "eventId", id::float8 AS id`,
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

  private async extendSome(
    sql: Sql,
    some: readonly [ModelDelta, VersionDelta[]][],
    full: LockedModels['full'],
  ): Promise<DriftNotice[]> {
    const { rows } = await sql.run<{ event_id: string; schema: Record<string, string> }>(
      `SELECT event_id, schema FROM models WHERE event_id = ANY($1::uuid[])`,
      [some.map(([{ eventId }]) => eventId)],
    );
    const stored = new Map(rows.map(({ event_id, schema }) => [event_id, new Map(Object.entries(schema))]));
    const unions = await new Slices().map(some, ([model, versions]) => {
      const { eventId } = model;
      const before = stored.get(eventId) ?? new Map<string, string>();
      const union = unionSchemas(
        before,
        versions.map(({ schema }) => schema),
        full.has(model) ? SCARCE_SCHEMA_BYTES_MAX : MODEL_SCHEMA_BYTES_MAX,
      );
      if (full.has(model)) return { eventId, ...union, notices: [] };
      // A model without a schema is new, so its first version is not drift.
      const from = before.size === 0 ? 1 : 0;
      return { eventId, ...union, notices: driftOf(eventId, versions.slice(from), union.changes.slice(from)) };
    });
    const changed = unions.filter(({ changes }) => changes.some(({ length }) => length > 0));
    await this.storeSchemas(
      sql,
      changed.map(({ eventId, schema }) => ({ eventId, entries: schema })),
    );
    return unions.flatMap(({ notices }) => notices);
  }

  private async storeSchemas(sql: Sql, rows: readonly { eventId: string; entries: Entries }[]): Promise<void> {
    for await (const some of written(rows)) {
      await sql.run(
        `UPDATE models SET schema = changed.json::jsonb
         FROM unnest($1::uuid[], $2::text[]) AS changed (event_id, json) WHERE models.event_id = changed.event_id`,
        [some.map(({ eventId }) => eventId), some.map(({ json }) => json)],
      );
    }
  }
}
