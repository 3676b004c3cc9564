import { Injectable } from '@nestjs/common';
import type { Sql } from '@weir/messaging';
import type { ModelDelta } from '../aggregation/aggregator.js';
import { Statistics, type StatisticsOwner } from '../aggregation/statistics.js';

/** Owners whose statistics are in memory at once; each has at most about 1 MiB. */
const OWNERS_AT_ONCE = 50;

interface Owned {
  ownerId: string;
  eventId: string;
  owner: StatisticsOwner;
  statistics: Statistics;
}

/** Merges frequent values and samples of models that the transaction has locked, and of their versions. */
@Injectable()
export class StatisticsDeltaRepository {
  async merge(sql: Sql, models: readonly ModelDelta[]): Promise<void> {
    const all = models.flatMap(ownersOf);
    for (let at = 0; at < all.length; at += OWNERS_AT_ONCE)
      await this.mergeSome(sql, all.slice(at, at + OWNERS_AT_ONCE));
  }

  async remove(sql: Sql, ownerIds: readonly string[]): Promise<void> {
    if (ownerIds.length === 0) return;
    await sql.query(`DELETE FROM statistics WHERE owner_id = ANY($1::uuid[])`, [ownerIds]);
  }

  private async mergeSome(sql: Sql, some: readonly Owned[]): Promise<void> {
    const rows = await sql.query<{ owner_id: string; values: string; samples: string }[]>(
      `SELECT owner_id, frequent_values AS values, samples FROM statistics WHERE owner_id = ANY($1::uuid[])`,
      [some.map(({ ownerId }) => ownerId)],
    );
    const stored = new Map(rows.map((row) => [row.owner_id, row]));
    const merged = some.map(({ ownerId, owner, statistics }) => {
      const before = stored.get(ownerId);
      const sum = before ? Statistics.decode(owner, before) : Statistics.none(owner);
      sum.merge(statistics);
      return sum.encode();
    });
    await sql.query(
      `INSERT INTO statistics (owner_id, event_id, frequent_values, samples)
       SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[])
       ON CONFLICT (owner_id) DO UPDATE SET frequent_values = excluded.frequent_values, samples = excluded.samples`,
      [
        some.map(({ ownerId }) => ownerId),
        some.map(({ eventId }) => eventId),
        merged.map(({ values }) => values),
        merged.map(({ samples }) => samples),
      ],
    );
  }
}

const ownersOf = ({ eventId, statistics, versions }: ModelDelta): Owned[] => [
  { ownerId: eventId, eventId, owner: 'model', statistics },
  ...[...versions.values()].map(
    (version): Owned => ({
      ownerId: version.versionId,
      eventId,
      owner: 'version',
      statistics: version.statistics,
    }),
  ),
];
