import { Inject, Injectable } from '@nestjs/common';
import { MODEL_DAYS_MAX } from '@weir/contracts';
import { removeRows, type Sql } from '@weir/messaging';
import { CONFIG } from '@weir/service-kit';
import type { ModelDelta } from '../aggregation/aggregator.js';
import type { CollectorConfig } from '../config.js';

/** Models that the transaction has locked. */
export interface LockedModels {
  /** Models that may be counted. */
  admitted: ModelDelta[];
  /** Models of which values and samples are kept: their source allows it, and they are not full. */
  sampled: ModelDelta[];
  /** Models that must not grow, because their workspace is over its budget. */
  full: ReadonlySet<ModelDelta>;
  /** Models that did not exist before. */
  created: ReadonlySet<ModelDelta>;
  /** How often the statistics of each model were removed, by its id. */
  timesEmptied: ReadonlyMap<string, number>;
}

/** Increments of a model that a flush adds. */
export interface AddedIncrements {
  parts: number;
  bytes: number;
}

/** Adds to the totals of models. */
@Injectable()
export class ModelDeltaRepository {
  constructor(@Inject(CONFIG) private readonly config: Pick<CollectorConfig, 'modelsPerWriteKey'>) {}

  /**
   * Creates missing models and locks all of them in the order of their ids. The lock guards a model's schema, versions and
   * statistics. Refuses new models beyond the limit of their write key. Two collectors that reach the limit at once may exceed it
   * slightly. Models of workspaces `overBudget` are full.
   */
  async lock(sql: Sql, deltas: readonly ModelDelta[], overBudget: ReadonlySet<string>): Promise<LockedModels> {
    const sorted = [...deltas].sort((left, right) => (left.eventId < right.eventId ? -1 : 1));
    const known = await this.knownOf(sql, sorted);
    const fresh = sorted.filter(({ eventId }) => !known.has(eventId));
    const refused = await this.overLimit(sql, fresh);
    const admitted = sorted.filter((delta) => !refused.has(delta));
    const created = fresh.filter((delta) => !refused.has(delta));
    await this.insert(sql, created);
    const { rows: locked } = await sql.run<{ event_id: string; emptied: number }>(
      `SELECT event_id, times_emptied AS emptied FROM models WHERE event_id = ANY($1::uuid[]) ORDER BY event_id FOR UPDATE`,
      [admitted.map(({ eventId }) => eventId)],
    );
    const unsampled = await this.unsampled(sql, admitted);
    const full = new Set(admitted.filter(({ workspaceId }) => overBudget.has(workspaceId)));
    const sampled = admitted.filter((delta) => !unsampled.has(delta.writeKey) && !full.has(delta));
    const timesEmptied = new Map(locked.map(({ event_id, emptied }) => [event_id, emptied]));
    return { admitted, sampled, full, created: new Set(created), timesEmptied };
  }

  /** Sources that keep no samples. Asked under the locks, because a source that waits for them may be emptied meanwhile. */
  private async unsampled(sql: Sql, deltas: readonly ModelDelta[]): Promise<Set<string>> {
    const { rows } = await sql.run<{ write_key: string }>(
      `SELECT write_key FROM source_privacy WHERE write_key = ANY($1) AND samples = 'off'`,
      [[...new Set(deltas.map(({ writeKey }) => writeKey))]],
    );
    return new Set(rows.map(({ write_key }) => write_key));
  }

  /** Returns the number of increments that wait to be folded, by model, including those of this flush. */
  async addTotals(
    sql: Sql,
    admitted: readonly ModelDelta[],
    increments: ReadonlyMap<string, AddedIncrements>,
  ): Promise<Map<string, number>> {
    const { rows } = await sql.run<{ event_id: string; pending: number }>(
      `UPDATE models SET total_count = total_count + delta.count, last_seen = greatest(last_seen, delta.seen),
         pending_parts = pending_parts + delta.parts, stored_bytes = stored_bytes + delta.bytes
       FROM unnest($1::uuid[], $2::bigint[], $3::timestamptz[], $4::int[], $5::bigint[])
         AS delta (event_id, count, seen, parts, bytes)
       WHERE models.event_id = delta.event_id RETURNING models.event_id, pending_parts AS pending`,
      [
        admitted.map(({ eventId }) => eventId),
        admitted.map(({ count }) => count),
        admitted.map(({ lastSeen }) => lastSeen),
        admitted.map(({ eventId }) => increments.get(eventId)?.parts ?? 0),
        admitted.map(({ eventId }) => increments.get(eventId)?.bytes ?? 0),
      ],
    );
    return new Map(rows.map(({ event_id, pending }) => [event_id, pending]));
  }

  private async knownOf(sql: Sql, deltas: readonly ModelDelta[]): Promise<Set<string>> {
    const { rows } = await sql.run<{ event_id: string }>(
      `SELECT event_id FROM models WHERE event_id = ANY($1::uuid[])`,
      [deltas.map(({ eventId }) => eventId)],
    );
    return new Set(rows.map(({ event_id }) => event_id));
  }

  private async overLimit(sql: Sql, fresh: readonly ModelDelta[]): Promise<Set<ModelDelta>> {
    const refused = new Set<ModelDelta>();
    if (fresh.length === 0) return refused;
    const { rows } = await sql.run<{ write_key: string; models: number }>(
      `SELECT write_key, count(*)::int AS models FROM models WHERE write_key = ANY($1) GROUP BY write_key`,
      [[...new Set(fresh.map(({ writeKey }) => writeKey))]],
    );
    const counts = new Map(rows.map(({ write_key, models }) => [write_key, models]));
    for (const delta of fresh) {
      const count = (counts.get(delta.writeKey) ?? 0) + 1;
      counts.set(delta.writeKey, count);
      if (count > this.config.modelsPerWriteKey) refused.add(delta);
    }
    return refused;
  }

  /** If another collector is inserting the same model, this waits for its commit. */
  private async insert(sql: Sql, fresh: readonly ModelDelta[]): Promise<void> {
    if (fresh.length === 0) return;
    await sql.run(
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

/** Adds to the events of models by day. */
@Injectable()
export class ModelDaysDeltaRepository {
  /** The transaction has locked the models, so two flushes never write the same rows at once. */
  async add(sql: Sql, deltas: readonly ModelDelta[]): Promise<void> {
    const rows = deltas.flatMap(({ eventId, days }) => [...days].map(([day, events]) => ({ eventId, day, events })));
    await sql.run(
      `INSERT INTO model_days (event_id, day, events)
       SELECT * FROM unnest($1::uuid[], $2::date[], $3::bigint[])
       ON CONFLICT (event_id, day) DO UPDATE SET events = model_days.events + EXCLUDED.events`,
      [rows.map(({ eventId }) => eventId), rows.map(({ day }) => day), rows.map(({ events }) => events)],
    );
  }

  async prune(sql: Sql): Promise<void> {
    await removeRows(sql, 'model_days', `day <= (now() AT TIME ZONE 'UTC')::date - $1::int`, [MODEL_DAYS_MAX]);
  }
}
