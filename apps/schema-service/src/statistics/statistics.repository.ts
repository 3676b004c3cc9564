import { Injectable } from '@nestjs/common';
import { chunksOf } from '@weir/contracts';
import type { Sql } from '@weir/messaging';
import type { StatisticsOwner, StoredStatistics } from '../aggregation/statistics.js';

/**
 * Observations of one flush about a version. `versionId` is null once the version is removed. Its model still counts them.
 */
export interface Increment extends StoredStatistics {
  eventId: string;
  versionId: string | null;
}

/** Folded statistics of a model or a version. */
export interface FoldedRow extends StoredStatistics {
  ownerId: string;
  eventId: string;
}

/** Everything known about a model or a version: the folded row, then the newer increments in order. */
export interface OwnedIncrements {
  owner: StatisticsOwner;
  /** Id of the model. */
  eventId: string;
  totalCount: number;
  writeKey: string;
  increments: StoredStatistics[];
}

/**
 * Rows per statement, which may have 65,535 parameters. Each text is a parameter of its own. In an array, every quote of this
 * JSON would be escaped, which took longer than all the counting.
 */
const ROWS_AT_ONCE = 1_000;
/** Characters per statement. All texts of a statement become bytes in one go. */
const CHARS_AT_ONCE = 1_048_576;

/** Cuts rows into statements. */
const statementsOf = <T extends StoredStatistics>(rows: readonly T[]): T[][] =>
  chunksOf(rows, {
    itemsMax: ROWS_AT_ONCE,
    bytesMax: CHARS_AT_ONCE,
    bytesOf: ({ values, samples }) => values.length + samples.length,
  });

/** Placeholders such as `($1, $2),($3, $4)`. */
const tuples = (rows: number, columns: number) =>
  Array.from({ length: rows }, (_, row) => {
    const places = Array.from({ length: columns }, (_, column) => `$${row * columns + column + 1}`);
    return `(${places.join()})`;
  }).join();

const FOLDED = `
  SELECT owner_id AS "ownerId", event_id AS "eventId", frequent_values AS values, samples FROM statistics`;

const INCREMENTS = `
  SELECT coalesce(array_agg(frequent_values ORDER BY id), '{}') AS values, coalesce(array_agg(samples ORDER BY id), '{}') AS samples
  FROM statistics_parts`;

/** Statistics of models and versions: one folded row each, and the increments that flushes added since. */
@Injectable()
export class StatisticsRepository {
  async ofModel(sql: Sql, eventId: string): Promise<OwnedIncrements | undefined> {
    const { rows } = await sql.run<Row>(
      `SELECT models.event_id AS "eventId", total_count::float8 AS "totalCount", write_key AS "writeKey",
         statistics.frequent_values, statistics.samples AS folded_samples, parts.values, parts.samples
       FROM models LEFT JOIN statistics ON owner_id = models.event_id
       CROSS JOIN LATERAL (${INCREMENTS} WHERE statistics_parts.event_id = models.event_id) AS parts
       WHERE models.event_id = $1`,
      [eventId],
    );
    return rows[0] && ownedIncrements('model', rows[0]);
  }

  async ofVersion(sql: Sql, versionId: string): Promise<OwnedIncrements | undefined> {
    const { rows } = await sql.run<Row>(
      `SELECT versions.event_id AS "eventId", versions.total_count::float8 AS "totalCount", write_key AS "writeKey",
         statistics.frequent_values, statistics.samples AS folded_samples, parts.values, parts.samples
       FROM versions JOIN models USING (event_id) LEFT JOIN statistics ON owner_id = versions.version_id
       CROSS JOIN LATERAL (
         ${INCREMENTS} WHERE statistics_parts.event_id = versions.event_id AND statistics_parts.version_id = versions.version_id
       ) AS parts WHERE versions.version_id = $1`,
      [versionId],
    );
    return rows[0] && ownedIncrements('version', rows[0]);
  }

  async addIncrements(sql: Sql, increments: readonly Increment[]): Promise<void> {
    for (const some of statementsOf(increments)) {
      await sql.run(
        `INSERT INTO statistics_parts (event_id, version_id, frequent_values, samples) VALUES ${tuples(some.length, 4)}`,
        some.flatMap(({ eventId, versionId, values, samples }) => [eventId, versionId, values, samples]),
      );
    }
  }

  /** Removes and returns the increments of models, oldest first. The caller folds them. */
  async takeIncrements(sql: Sql, eventIds: readonly string[]): Promise<Increment[]> {
    const { rows } = await sql.run<Increment & { id: string }>(
      `DELETE FROM statistics_parts WHERE event_id = ANY($1::uuid[])
       RETURNING id, event_id AS "eventId", version_id AS "versionId", frequent_values AS values, samples`,
      [eventIds],
    );
    await sql.run(`UPDATE models SET pending_parts = 0 WHERE event_id = ANY($1::uuid[])`, [eventIds]);
    return rows.sort((left, right) => Number(left.id) - Number(right.id));
  }

  async folded(sql: Sql, ownerIds: readonly string[]): Promise<Map<string, StoredStatistics>> {
    const { rows } = await sql.run<FoldedRow>(`${FOLDED} WHERE owner_id = ANY($1::uuid[])`, [ownerIds]);
    return new Map(rows.map(({ ownerId, eventId: _, ...stored }) => [ownerId, stored]));
  }

  /** Folded rows of models and their versions. */
  async foldedOf(sql: Sql, eventIds: readonly string[]): Promise<FoldedRow[]> {
    return (await sql.run<FoldedRow>(`${FOLDED} WHERE event_id = ANY($1::uuid[])`, [eventIds])).rows;
  }

  async store(sql: Sql, folded: readonly FoldedRow[]): Promise<void> {
    for (const some of statementsOf(folded)) {
      await sql.run(
        `INSERT INTO statistics (owner_id, event_id, frequent_values, samples) VALUES ${tuples(some.length, 4)}
         ON CONFLICT (owner_id) DO UPDATE SET frequent_values = excluded.frequent_values, samples = excluded.samples`,
        some.flatMap(({ ownerId, eventId, values, samples }) => [ownerId, eventId, values, samples]),
      );
    }
  }

  /**
   * Removes the statistics of models and their versions. The transaction has locked the models. Collectors then no longer rely on what they
   * remember of them.
   */
  async empty(sql: Sql, eventIds: readonly string[]): Promise<void> {
    for (const table of ['statistics', 'statistics_parts']) {
      await sql.run(`DELETE FROM ${table} WHERE event_id = ANY($1::uuid[])`, [eventIds]);
    }
    await sql.run(
      `UPDATE models SET pending_parts = 0, times_emptied = times_emptied + 1 WHERE event_id = ANY($1::uuid[])`,
      [eventIds],
    );
  }

  /** Removes the folded rows of removed versions. Their increments stay with the model. */
  async forgetVersions(sql: Sql, versions: readonly { versionId: string; eventId: string }[]): Promise<void> {
    if (versions.length === 0) return;
    const versionIds = versions.map(({ versionId }) => versionId);
    await sql.run(`DELETE FROM statistics WHERE owner_id = ANY($1::uuid[])`, [versionIds]);
    // Increments are found by their models, because they have no index of versions.
    await sql.run(
      `UPDATE statistics_parts SET version_id = NULL WHERE event_id = ANY($2::uuid[]) AND version_id = ANY($1::uuid[])`,
      [versionIds, [...new Set(versions.map(({ eventId }) => eventId))]],
    );
  }
}

interface Row {
  eventId: string;
  totalCount: number;
  writeKey: string;
  frequent_values: string | null;
  folded_samples: string | null;
  values: string[];
  samples: string[];
}

function ownedIncrements(owner: StatisticsOwner, row: Row): OwnedIncrements {
  const { eventId, totalCount, writeKey, frequent_values, folded_samples, values, samples } = row;
  const folded =
    frequent_values !== null && folded_samples !== null ? [{ values: frequent_values, samples: folded_samples }] : [];
  const increments = values.map((text, at) => ({ values: text, samples: samples[at] ?? '[]' }));
  return { owner, eventId, totalCount, writeKey, increments: [...folded, ...increments] };
}
