import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DELIVERY_HOURS_MAX, type DeliveryCounters, type DeliveryHour } from '@weir/contracts';
import { Periodic, removeRows } from '@weir/messaging';
import { Database, newKsuid } from '@weir/service-kit';
import type { DestinationRef } from '../units/delivery-unit.js';

/** How long a breaker counts as open after its owner last said so. */
export const BREAKER_SEEN = '30 seconds';

/** A writer that was silent for longer is gone, because no process waits that long for its database. */
const WRITER_KEPT = '7 days';

/** Outcomes of attempts that are counted by minute too, and for how long. */
const ATTEMPT_OUTCOMES = ['delivered', 'failed', 'dead'] as const;
const MINUTES_KEPT = '1 hour';

/** Destinations per page. */
const PAGE_SIZE = 100;

export interface DeliveryCount {
  workspaceId: string;
  destinationId: string;
  /** Start of the hour, ISO 8601. */
  hour: string;
  /** An outcome, or `latency.<bucket>`. */
  name: string;
  events: number;
}

/** Counts that are stored together, once. */
export interface CountFlush {
  /** The process that counted. */
  writer: string;
  number: number;
  counts: readonly DeliveryCount[];
}

const HOUR_OUTCOMES = ['accepted', 'delivered', 'failed', 'dead'] as const;

interface SumsRow {
  destination_id: string;
  names: Record<string, number>;
  retrying: number;
  waiting_since: Date | null;
  breaker_open: boolean;
}

const retrying = (what: string) => `(SELECT ${what} FROM retrying_deliveries AS retry
  WHERE retry.workspace_id = $1 AND retry.destination_id = counts.destination_id)`;

/** The state of a destination at this moment. */
const NOW_COLUMNS = `${retrying('count(*)::int')} AS retrying, ${retrying('min(received_at)')} AS waiting_since,
  EXISTS (SELECT 1 FROM open_breakers AS open
    WHERE open.workspace_id = $1 AND open.destination_id = counts.destination_id
      AND open.seen_at > now() - interval '${BREAKER_SEEN}') AS breaker_open`;

@Injectable()
export class DeliveryCountRepository {
  constructor(private readonly database: Database) {}

  /**
   * Adds a flush to the counts by hour and by minute, unless it is part of them already. Flushes of a writer are numbered upwards.
   * Writes in key order, so that two processes never deadlock.
   */
  async add({ writer, number, counts }: CountFlush): Promise<void> {
    await this.database.run(
      `WITH fresh AS (
         INSERT INTO count_flushes (writer, flush) VALUES ($2, $3)
         ON CONFLICT (writer) DO UPDATE SET flush = EXCLUDED.flush, flushed_at = now()
           WHERE count_flushes.flush < EXCLUDED.flush
         RETURNING writer
       ), recent AS (
         INSERT INTO attempt_minutes (workspace_id, destination_id, minute, name, events)
         SELECT "workspaceId", "destinationId", date_trunc('minute', now()), name, sum(events)
         FROM fresh, jsonb_to_recordset($1)
           AS count ("workspaceId" text, "destinationId" text, name text, events bigint)
         WHERE name = ANY($4) AND events > 0
         GROUP BY 1, 2, 4 ORDER BY 1, 2, 4
         ON CONFLICT (workspace_id, destination_id, minute, name) DO UPDATE
         SET events = attempt_minutes.events + EXCLUDED.events
       )
       INSERT INTO delivery_counts (workspace_id, destination_id, hour, name, events)
       SELECT "workspaceId", "destinationId", hour, name, events
       FROM fresh, jsonb_to_recordset($1)
         AS count ("workspaceId" text, "destinationId" text, hour timestamptz, name text, events bigint)
       ORDER BY 1, 2, 3, 4
       ON CONFLICT (workspace_id, destination_id, hour, name) DO UPDATE
       SET events = delivery_counts.events + EXCLUDED.events`,
      [JSON.stringify(counts), writer, number, ATTEMPT_OUTCOMES],
    );
  }

  /** Sums over the last `hours` hours, including the current one. */
  async list(
    workspaceId: string,
    { destinationId, hours, after }: { destinationId?: string | undefined; hours: number; after?: string | undefined },
  ): Promise<{ counters: DeliveryCounters[]; next?: string }> {
    const { rows } = await this.database.run<SumsRow>(
      `SELECT counts.destination_id, jsonb_object_agg(name, total) AS names, ${NOW_COLUMNS}
       FROM (
         SELECT destination_id, name, sum(events) AS total FROM delivery_counts
         WHERE workspace_id = $1 AND hour > now() - $2 * interval '1 hour'
           AND ($3::text IS NULL OR destination_id = $3) AND ($4::text IS NULL OR destination_id > $4)
         GROUP BY destination_id, name
       ) AS counts
       GROUP BY counts.destination_id ORDER BY counts.destination_id LIMIT $5`,
      [workspaceId, hours, destinationId ?? null, after ?? null, PAGE_SIZE + 1],
    );
    const page = rows.slice(0, PAGE_SIZE);
    const counters = page.map((row) => ({
      ...countersOf(row.destination_id, row.names, row.retrying),
      ...(row.waiting_since && { waitingSince: row.waiting_since.toISOString() }),
      ...(row.breaker_open && { breakerOpen: true as const }),
    }));
    const last = page.at(-1)?.destination_id;
    return { counters, ...(last && rows.length > page.length && { next: last }) };
  }

  /** Sums of each of the last `hours` hours, oldest first. */
  async hours(workspaceId: string, hours: number, destinationId: string | undefined): Promise<DeliveryHour[]> {
    const { rows } = await this.database.run<Omit<DeliveryHour, 'hour'> & { hour: Date }>(
      `SELECT hour, ${HOUR_OUTCOMES.map((name) => `coalesce(sum(events) FILTER (WHERE name = '${name}'), 0)::float8 AS ${name}`)}
       FROM delivery_counts
       WHERE workspace_id = $1 AND hour > now() - $2 * interval '1 hour'
         AND ($3::text IS NULL OR destination_id = $3) AND name = ANY($4)
       GROUP BY hour ORDER BY hour`,
      [workspaceId, hours, destinationId ?? null, HOUR_OUTCOMES],
    );
    // a replay takes its letters back, maybe in a later hour
    return rows.map((row) => ({ ...row, hour: row.hour.toISOString(), dead: Math.max(0, row.dead) }));
  }

  async removeOld(): Promise<void> {
    const { database } = this;
    await removeRows(database, 'delivery_counts', `hour < now() - $1 * interval '1 hour'`, [DELIVERY_HOURS_MAX]);
    await removeRows(database, 'attempt_minutes', `minute < now() - interval '${MINUTES_KEPT}'`);
    await removeRows(database, 'count_flushes', `flushed_at < now() - interval '${WRITER_KEPT}'`);
  }
}

/** Write interval. One statement covers all destinations of the process. */
const FLUSH_MS = 1_000;
const HOUR_MS = 3_600_000;

/**
 * Counts in memory and adds the sums to the database. A killed process loses its last second. A flush whose answer got lost is
 * sent again as it was, and the database adds it once.
 */
@Injectable()
export class DeliveryCounts implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly flushes = new Periodic({
    task: 'count deliveries',
    everyMs: FLUSH_MS,
    run: () => this.flush(),
    log: new Logger(DeliveryCounts.name),
    runsAtStop: true,
  });
  private readonly writer = newKsuid();
  private waiting = new Map<string, DeliveryCount>();
  private number = 0;
  /** A flush that may or may not be stored. */
  private open: CountFlush | undefined;

  constructor(private readonly repository: DeliveryCountRepository) {}

  onApplicationBootstrap(): void {
    this.flushes.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.flushes.stop();
  }

  /** `at` names the hour to count in, in milliseconds since the epoch. A negative number takes events back. */
  add({ workspaceId, destinationId }: DestinationRef, name: string, events: number, at = Date.now()): void {
    const hour = Math.floor(at / HOUR_MS);
    const key = `${destinationId}/${hour}/${name}`;
    const known = this.waiting.get(key);
    if (known) known.events += events;
    else {
      const from = new Date(hour * HOUR_MS).toISOString();
      this.waiting.set(key, { workspaceId, destinationId, hour: from, name, events });
    }
  }

  private async flush(): Promise<void> {
    await this.store();
    if (this.waiting.size === 0) return;
    this.number += 1;
    this.open = { writer: this.writer, number: this.number, counts: [...this.waiting.values()] };
    this.waiting = new Map();
    await this.store();
  }

  private async store(): Promise<void> {
    if (!this.open) return;
    await this.repository.add(this.open);
    this.open = undefined;
  }
}

/** Each bucket reaches a fifth further than the one before. */
const GROWTH = 1.2;

/** Index of the bucket that contains a latency. */
export const bucketOf = (milliseconds: number): number =>
  Math.max(0, Math.ceil(Math.log(Math.max(1, milliseconds)) / Math.log(GROWTH)));

/** Upper bound of a bucket in milliseconds. */
export const boundOf = (bucket: number): number => Math.round(GROWTH ** bucket);

/** Latency that the given share of all did not exceed. Returns undefined if the counts are empty. */
export function percentileOf(counts: ReadonlyMap<number, number>, share: number): number | undefined {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  let seen = 0;
  for (const [bucket, count] of [...counts].sort(([a], [b]) => a - b)) {
    seen += count;
    if (seen >= total * share) return boundOf(bucket);
  }
  return undefined;
}

const LATENCY = 'latency.';

/** The counter name of a latency bucket. */
export const latencyName = (bucket: number): string => `${LATENCY}${bucket}`;

/** Builds the counters of a destination from its sums by name. Pure. */
export function countersOf(destinationId: string, sums: Record<string, number>, inRetry: number): DeliveryCounters {
  const sum = (name: string) => Number(sums[name] ?? 0);
  const buckets = Object.entries(sums)
    .filter(([name]) => name.startsWith(LATENCY))
    .map(([name, count]): [number, number] => [Number(name.slice(LATENCY.length)), Number(count)]);
  const [p50, p95] = [0.5, 0.95].map((share) => percentileOf(new Map(buckets), share));
  return {
    destinationId,
    accepted: sum('accepted'),
    transformed: sum('transformed'),
    droppedByCode: sum('dropped_by_code'),
    failedInCode: sum('failed_in_code'),
    filtered: sum('filtered'),
    suppressed: sum('suppressed'),
    dropped: sum('dropped'),
    delivered: sum('delivered'),
    failed: sum('failed'),
    // a replay takes its letters back, and an earlier release may have lost their count
    dead: Math.max(0, sum('dead')),
    inRetry,
    ...(p50 !== undefined && p95 !== undefined && { latencyMs: { p50, p95 } }),
  };
}
