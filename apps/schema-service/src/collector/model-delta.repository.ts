import { Injectable } from '@nestjs/common';
import type { Sql } from '@weir/messaging';
import type { ModelDelta } from '../aggregation/aggregator.js';
import { MODELS_PER_WRITE_KEY_MAX } from '../aggregation/limits.js';

/** Adds to the models' totals. */
@Injectable()
export class ModelDeltaRepository {
  /**
   * Makes the models that are missing and locks all of them, in the order of their ids. The lock guards everything of a model:
   * schema, versions, statistics. Answers the models that may be counted: a write key has MODELS_PER_WRITE_KEY_MAX of them
   * (a few more when two collectors reach that number at once).
   */
  async lock(sql: Sql, deltas: readonly ModelDelta[]): Promise<ModelDelta[]> {
    const sorted = [...deltas].sort((left, right) => (left.eventId < right.eventId ? -1 : 1));
    const known = await this.knownOf(sql, sorted);
    const fresh = sorted.filter(({ eventId }) => !known.has(eventId));
    const refused = await this.overLimit(sql, fresh);
    const admitted = sorted.filter((delta) => !refused.has(delta));
    await this.insert(
      sql,
      fresh.filter((delta) => !refused.has(delta)),
    );
    await sql.query(`SELECT FROM models WHERE event_id = ANY($1::uuid[]) ORDER BY event_id FOR UPDATE`, [
      admitted.map(({ eventId }) => eventId),
    ]);
    return admitted;
  }

  async addTotals(sql: Sql, deltas: readonly ModelDelta[]): Promise<void> {
    await sql.query(
      `UPDATE models SET total_count = total_count + delta.count, last_seen = greatest(last_seen, delta.seen)
       FROM unnest($1::uuid[], $2::bigint[], $3::timestamptz[]) AS delta (event_id, count, seen)
       WHERE models.event_id = delta.event_id`,
      [deltas.map(({ eventId }) => eventId), deltas.map(({ count }) => count), deltas.map(({ lastSeen }) => lastSeen)],
    );
  }

  private async knownOf(sql: Sql, deltas: readonly ModelDelta[]): Promise<Set<string>> {
    const rows = await sql.query<{ event_id: string }[]>(
      `SELECT event_id FROM models WHERE event_id = ANY($1::uuid[])`,
      [deltas.map(({ eventId }) => eventId)],
    );
    return new Set(rows.map(({ event_id }) => event_id));
  }

  private async overLimit(sql: Sql, fresh: readonly ModelDelta[]): Promise<Set<ModelDelta>> {
    const refused = new Set<ModelDelta>();
    if (fresh.length === 0) return refused;
    const rows = await sql.query<{ write_key: string; models: number }[]>(
      `SELECT write_key, count(*)::int AS models FROM models WHERE write_key = ANY($1) GROUP BY write_key`,
      [[...new Set(fresh.map(({ writeKey }) => writeKey))]],
    );
    const counts = new Map(rows.map(({ write_key, models }) => [write_key, models]));
    for (const delta of fresh) {
      const count = (counts.get(delta.writeKey) ?? 0) + 1;
      counts.set(delta.writeKey, count);
      if (count > MODELS_PER_WRITE_KEY_MAX) refused.add(delta);
    }
    return refused;
  }

  /** Another collector may insert the same model at this moment; then this waits for its commit. */
  private async insert(sql: Sql, fresh: readonly ModelDelta[]): Promise<void> {
    if (fresh.length === 0) return;
    await sql.query(
      `INSERT INTO models (event_id, workspace_id, write_key, event_type, event_identifier, created_at, last_seen)
       SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $6::timestamptz[])
       ON CONFLICT DO NOTHING`,
      [
        fresh.map(({ eventId }) => eventId),
        fresh.map(({ workspaceId }) => workspaceId),
        fresh.map(({ writeKey }) => writeKey),
        fresh.map(({ eventType }) => eventType),
        fresh.map(({ eventIdentifier }) => eventIdentifier),
        fresh.map(({ firstSeen }) => firstSeen),
      ],
    );
  }
}
