import { Injectable } from '@nestjs/common';
import { InventoryMirror } from '@weir/inventory';
import { Database } from '@weir/service-kit';
import { BREAKER_SEEN } from '../outcomes/delivery-counts.js';
import type { FoundTrouble } from './trouble.js';

/** Attempts below which a share of failures says nothing. */
const ATTEMPTS_MIN = 10;

interface HourRow {
  workspace_id: string;
  destination_id: string;
  delivered: number;
  failed: number;
  dead: number;
}

/** Finds troubles of destinations in the tables of this service. */
@Injectable()
export class OwnTroubles {
  constructor(
    private readonly database: Database,
    private readonly inventory: InventoryMirror,
  ) {}

  async find(thresholds: ReadonlyMap<string, readonly number[]>): Promise<FoundTrouble[]> {
    const ids = [...thresholds.keys()];
    const hours = await this.hours(ids);
    return [
      ...hours.flatMap((row) => this.failing(row, thresholds.get(row.workspace_id) ?? [])),
      ...hours.filter(({ dead }) => dead > 0).map((row) => this.trouble(row, 'dead_letters', { count: row.dead })),
      ...(await this.openBreakers(ids)),
    ];
  }

  private failing(row: HourRow, thresholds: readonly number[]): FoundTrouble[] {
    const attempts = row.delivered + row.failed;
    if (attempts < ATTEMPTS_MIN) return [];
    const percent = Math.floor((row.failed * 100) / attempts);
    return thresholds
      .filter((threshold) => percent >= threshold)
      .map((threshold) => this.trouble(row, 'destination_failing', { percent, threshold }));
  }

  /** Counts of this hour. Its first quarter includes the hour before, because a minute says little. */
  private async hours(workspaceIds: string[]): Promise<HourRow[]> {
    const { rows } = await this.database.run<HourRow>(
      `SELECT workspace_id, destination_id,
         coalesce(sum(events) FILTER (WHERE name = 'delivered'), 0)::float8 AS delivered,
         coalesce(sum(events) FILTER (WHERE name = 'failed'), 0)::float8 AS failed,
         coalesce(sum(events) FILTER (WHERE name = 'dead'), 0)::float8 AS dead
       FROM delivery_counts
       WHERE workspace_id = ANY($1) AND hour > now() - interval '75 minutes' AND name IN ('delivered', 'failed', 'dead')
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
    { workspace_id: workspaceId, destination_id: resourceId }: Pick<HourRow, 'workspace_id' | 'destination_id'>,
    kind: FoundTrouble['kind'],
    more: Partial<FoundTrouble>,
  ): FoundTrouble {
    return { workspaceId, kind, resourceId, name: this.inventory.destination(resourceId)?.name, ...more };
  }
}
