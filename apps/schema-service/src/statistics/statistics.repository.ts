import { Injectable } from '@nestjs/common';
import type { Sql } from '@weir/messaging';
import type { StatisticsOwner, StoredStatistics } from '../aggregation/statistics.js';

/**
 * Observations of one flush about a version. `versionId` is null once the version is removed. Its model still counts the part.
 */
export interface Part extends StoredStatistics {
  eventId: string;
  versionId: string | null;
}

/** Folded statistics of a model or a version. */
export interface FoldedRow extends StoredStatistics {
  ownerId: string;
  eventId: string;
}

/** Everything known about a model or a version: the folded row, then the newer parts in order. */
export interface OwnedParts {
  owner: StatisticsOwner;
  /** Id of the model. */
  eventId: string;
  totalCount: number;
  writeKey: string;
  parts: StoredStatistics[];
}

/**
 * Rows per statement, which may have 65,535 parameters. Each text is a parameter of its own. In an array, every quote of this
 * JSON would be escaped, which took longer than all the counting.
 */
const ROWS_AT_ONCE = 1_000;
/** Characters per statement. All texts of a statement become bytes in one go. */
const CHARS_AT_ONCE = 1_048_576;

/** Splits rows into statements, in order, with at least one row each. */
function* statementsOf<T extends StoredStatistics>(rows: readonly T[]): Generator<T[]> {
  let some: T[] = [];
  let chars = 0;
  for (const row of rows) {
    some.push(row);
    chars += row.values.length + row.samples.length;
    if (some.length < ROWS_AT_ONCE && chars < CHARS_AT_ONCE) continue;
    yield some;
    [some, chars] = [[], 0];
  }
  if (some.length > 0) yield some;
}

/** Placeholders such as `($1, $2),($3, $4)`. */
const tuples = (rows: number, columns: number) =>
  Array.from({ length: rows }, (_, row) => {
    const places = Array.from({ length: columns }, (_, column) => `$${row * columns + column + 1}`);
    return `(${places.join()})`;
  }).join();

const FOLDED = `
  SELECT owner_id AS "ownerId", event_id AS "eventId", frequent_values AS values, samples FROM statistics`;

const PARTS = `
  SELECT coalesce(array_agg(frequent_values ORDER BY id), '{}') AS values, coalesce(array_agg(samples ORDER BY id), '{}') AS samples
  FROM statistics_parts`;

/** Statistics of models and versions: one folded row each, and the parts that flushes added since. */
@Injectable()
export class StatisticsRepository {
  async ofModel(sql: Sql, eventId: string): Promise<OwnedParts | undefined> {
    const rows = await sql.query<Row[]>(
      `SELECT models.event_id AS "eventId", total_count::float8 AS "totalCount", write_key AS "writeKey",
         statistics.frequent_values, statistics.samples AS folded_samples, parts.values, parts.samples
       FROM models LEFT JOIN statistics ON owner_id = models.event_id
       CROSS JOIN LATERAL (${PARTS} WHERE statistics_parts.event_id = models.event_id) AS parts
       WHERE models.event_id = $1`,
      [eventId],
    );
    return rows[0] && ownedParts('model', rows[0]);
  }

  async ofVersion(sql: Sql, versionId: string): Promise<OwnedParts | undefined> {
    const rows = await sql.query<Row[]>(
      `SELECT versions.event_id AS "eventId", versions.total_count::float8 AS "totalCount", write_key AS "writeKey",
         statistics.frequent_values, statistics.samples AS folded_samples, parts.values, parts.samples
       FROM versions JOIN models USING (event_id) LEFT JOIN statistics ON owner_id = versions.version_id
       CROSS JOIN LATERAL (
         ${PARTS} WHERE statistics_parts.event_id = versions.event_id AND statistics_parts.version_id = versions.version_id
       ) AS parts WHERE versions.version_id = $1`,
      [versionId],
    );
    return rows[0] && ownedParts('version', rows[0]);
  }

  async addParts(sql: Sql, parts: readonly Part[]): Promise<void> {
    for (const some of statementsOf(parts)) {
      await sql.query(
        `INSERT INTO statistics_parts (event_id, version_id, frequent_values, samples) VALUES ${tuples(some.length, 4)}`,
        some.flatMap(({ eventId, versionId, values, samples }) => [eventId, versionId, values, samples]),
      );
    }
  }

  /** Removes and returns the parts of models, oldest first. The caller folds them. */
  async takeParts(sql: Sql, eventIds: readonly string[]): Promise<Part[]> {
    const [rows] = await sql.query<[(Part & { id: string })[], number]>(
      `DELETE FROM statistics_parts WHERE event_id = ANY($1::uuid[])
       RETURNING id, event_id AS "eventId", version_id AS "versionId", frequent_values AS values, samples`,
      [eventIds],
    );
    await sql.query(`UPDATE models SET pending_parts = 0 WHERE event_id = ANY($1::uuid[])`, [eventIds]);
    return rows.sort((left, right) => Number(left.id) - Number(right.id));
  }

  async folded(sql: Sql, ownerIds: readonly string[]): Promise<Map<string, StoredStatistics>> {
    const rows = await sql.query<FoldedRow[]>(`${FOLDED} WHERE owner_id = ANY($1::uuid[])`, [ownerIds]);
    return new Map(rows.map(({ ownerId, eventId: _, ...stored }) => [ownerId, stored]));
  }

  /** Folded rows of models and their versions. */
  async foldedOf(sql: Sql, eventIds: readonly string[]): Promise<FoldedRow[]> {
    return sql.query(`${FOLDED} WHERE event_id = ANY($1::uuid[])`, [eventIds]);
  }

  async store(sql: Sql, folded: readonly FoldedRow[]): Promise<void> {
    for (const some of statementsOf(folded)) {
      await sql.query(
        `INSERT INTO statistics (owner_id, event_id, frequent_values, samples) VALUES ${tuples(some.length, 4)}
         ON CONFLICT (owner_id) DO UPDATE SET frequent_values = excluded.frequent_values, samples = excluded.samples`,
        some.flatMap(({ ownerId, eventId, values, samples }) => [ownerId, eventId, values, samples]),
      );
    }
  }

  /** Removes the folded rows of removed versions. Their parts stay with the model. */
  async forgetVersions(sql: Sql, versionIds: readonly string[]): Promise<void> {
    if (versionIds.length === 0) return;
    await sql.query(`DELETE FROM statistics WHERE owner_id = ANY($1::uuid[])`, [versionIds]);
    await sql.query(`UPDATE statistics_parts SET version_id = NULL WHERE version_id = ANY($1::uuid[])`, [versionIds]);
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

function ownedParts(owner: StatisticsOwner, row: Row): OwnedParts {
  const { eventId, totalCount, writeKey, frequent_values, folded_samples, values, samples } = row;
  const folded =
    frequent_values !== null && folded_samples !== null ? [{ values: frequent_values, samples: folded_samples }] : [];
  const parts = values.map((text, at) => ({ values: text, samples: samples[at] ?? '[]' }));
  return { owner, eventId, totalCount, writeKey, parts: [...folded, ...parts] };
}
