import { Injectable } from '@nestjs/common';
import { InventoryMirror } from '@weir/inventory';
import { Database } from '@weir/service-kit';
import { BREAKER_SEEN } from '../outcomes/delivery-counts.js';
import type { FoundTrouble } from './trouble.js';

/** Attempts below which a share of failures says nothing. */
const ATTEMPTS_MIN = 10;
/** A destination that did well for this long has recovered. One without attempts has not. */
const RECOVERED_AFTER = '3 minutes';
/**
 * Dead letters come one by one. Without a new one for this long, the trouble is over. The longest of these times, so no older minute
 * is read.
 */
const NO_LETTER_FOR = '15 minutes';

/** Attempts of this hour, and the latest ones. */
interface AttemptsRow {
  workspace_id: string;
  destination_id: string;
  delivered: number;
  failed: number;
  dead: number;
  recently_delivered: number;
  recently_failed: number;
  recently_dead: number;
}

/** SQL for the events with this outcome where the condition holds. */
const eventsOf = (name: string, condition: string): string =>
  `coalesce(sum(events) FILTER (WHERE name = '${name}' AND ${condition}), 0)::float8`;

/** Undefined without attempts. */
const percentOf = (failed: number, delivered: number): number | undefined =>
  failed + delivered > 0 ? Math.floor((failed * 100) / (failed + delivered)) : undefined;

/** Finds troubles of destinations in the tables of this service. */
@Injectable()
export class OwnTroubles {
  constructor(
    private readonly database: Database,
    private readonly inventory: InventoryMirror,
  ) {}

  async find(thresholds: ReadonlyMap<string, readonly number[]>): Promise<FoundTrouble[]> {
    const ids = [...thresholds.keys()];
    const attempts = await this.attempts(ids);
    const dying = attempts.filter(({ dead, recently_dead }) => dead > 0 && recently_dead > 0);
    return [
      ...attempts.flatMap((row) => this.failing(row, thresholds.get(row.workspace_id) ?? [])),
      ...dying.map((row) => this.trouble(row, 'dead_letters', { count: row.dead })),
      ...(await this.openBreakers(ids)),
    ];
  }

  /** A destination that fails, and has not recovered since. */
  private failing(row: AttemptsRow, thresholds: readonly number[]): FoundTrouble[] {
    if (row.delivered + row.failed < ATTEMPTS_MIN) return [];
    const percent = percentOf(row.failed, row.delivered) ?? 0;
    const recent = percentOf(row.recently_failed, row.recently_delivered) ?? percent;
    return thresholds
      .filter((threshold) => Math.min(percent, recent) >= threshold)
      .map((threshold) => this.trouble(row, 'destination_failing', { percent, threshold }));
  }

  /** Counts of this hour. Its first quarter includes the hour before, because a minute says little. */
  private async attempts(workspaceIds: string[]): Promise<AttemptsRow[]> {
    const { rows } = await this.database.run<AttemptsRow>(
      `SELECT workspace_id, destination_id,
         ${eventsOf('delivered', 'hour IS NOT NULL')} AS delivered,
         ${eventsOf('failed', 'hour IS NOT NULL')} AS failed,
         ${eventsOf('dead', 'hour IS NOT NULL')} AS dead,
         ${eventsOf('delivered', `minute > now() - interval '${RECOVERED_AFTER}'`)} AS recently_delivered,
         ${eventsOf('failed', `minute > now() - interval '${RECOVERED_AFTER}'`)} AS recently_failed,
         ${eventsOf('dead', `minute > now() - interval '${NO_LETTER_FOR}'`)} AS recently_dead
       FROM (
         SELECT workspace_id, destination_id, name, events, hour, NULL::timestamptz AS minute FROM delivery_counts
         WHERE workspace_id = ANY($1) AND hour > now() - interval '75 minutes'
         UNION ALL
         SELECT workspace_id, destination_id, name, events, NULL, minute FROM attempt_minutes
         WHERE workspace_id = ANY($1) AND minute > now() - interval '${NO_LETTER_FOR}'
       ) AS counts
       GROUP BY workspace_id, destination_id`,
      [workspaceIds],
    );
    return rows;
  }

  private async openBreakers(workspaceIds: string[]): Promise<FoundTrouble[]> {
    const { rows } = await this.database.run<{ workspace_id: string; destination_id: string }>(
      `SELECT workspace_id, destination_id FROM open_breakers
       WHERE workspace_id = ANY($1) AND seen_at > now() - interval '${BREAKER_SEEN}'`,
      [workspaceIds],
    );
    return rows.map((row) => this.trouble(row, 'breaker_open', {}));
  }

  private trouble(
    { workspace_id: workspaceId, destination_id: resourceId }: Pick<AttemptsRow, 'workspace_id' | 'destination_id'>,
    kind: FoundTrouble['kind'],
    more: Partial<FoundTrouble>,
  ): FoundTrouble {
    return { workspaceId, kind, resourceId, name: this.inventory.destination(resourceId)?.name, ...more };
  }
}
