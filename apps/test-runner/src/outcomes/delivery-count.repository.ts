import { Injectable } from '@nestjs/common';
import { DELIVERY_HOURS_MAX, type DeliveryCounters } from '@weir/contracts';
import { DataSource } from 'typeorm';
import { countersOf } from './counters.js';

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

@Injectable()
export class DeliveryCountRepository {
  constructor(private readonly database: DataSource) {}

  /** Writes in key order, so that two processes never deadlock. */
  async add(counts: readonly DeliveryCount[]): Promise<void> {
    await this.database.query(
      `INSERT INTO delivery_counts (workspace_id, destination_id, hour, name, events)
       SELECT "workspaceId", "destinationId", hour, name, events
       FROM jsonb_to_recordset($1)
         AS count ("workspaceId" text, "destinationId" text, hour timestamptz, name text, events bigint)
       ORDER BY 1, 2, 3, 4
       ON CONFLICT (workspace_id, destination_id, hour, name) DO UPDATE
       SET events = delivery_counts.events + EXCLUDED.events`,
      [JSON.stringify(counts)],
    );
  }

  /** Sums over the last `hours` hours, including the current one. */
  async list(
    workspaceId: string,
    { destinationId, hours, after }: { destinationId?: string | undefined; hours: number; after?: string | undefined },
  ): Promise<{ counters: DeliveryCounters[]; next?: string }> {
    const rows = await this.database.query<
      { destination_id: string; names: Record<string, number>; retrying: number }[]
    >(
      `SELECT counts.destination_id, jsonb_object_agg(name, total) AS names,
              (SELECT count(*)::int FROM retrying_deliveries AS retry
               WHERE retry.workspace_id = $1 AND retry.destination_id = counts.destination_id) AS retrying
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
    const counters = page.map((row) => countersOf(row.destination_id, row.names, row.retrying));
    const last = page.at(-1)?.destination_id;
    return { counters, ...(last && rows.length > page.length && { next: last }) };
  }

  async removeOld(): Promise<void> {
    await this.database.query(`DELETE FROM delivery_counts WHERE hour < now() - $1 * interval '1 hour'`, [
      DELIVERY_HOURS_MAX,
    ]);
  }
}
