import { Injectable } from '@nestjs/common';
import { Database } from '@weir/service-kit';
import type { DestinationRef } from '../units/delivery-unit.js';

/** Sequences per row. Large blocks keep the table small. Counts lost with a killed process vanish with their block. */
const BLOCK = 16_384;
export const blockOf = (sequence: number): number => Math.floor(sequence / BLOCK);

/** A change in the waiting bytes of a destination within one block. */
export interface ShareChange extends DestinationRef {
  block: number;
  bytes: number;
}

/** The waiting bytes of a destination. */
export interface ShareRow extends DestinationRef {
  bytes: number;
}

/** All writers use the same order, which prevents deadlocks. */
const ADD_SQL = `
  INSERT INTO delivery_shares AS known (workspace_id, destination_id, block, bytes)
  SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) AS change (workspace_id, destination_id, block, bytes)
  ORDER BY destination_id, block
  ON CONFLICT (destination_id, block) DO UPDATE SET bytes = known.bytes + EXCLUDED.bytes`;
/** A block may be negative for a moment, because a reader may report a finished message before its writer reports it. */
const READ_SQL = `
  SELECT min(workspace_id) AS "workspaceId", destination_id AS "destinationId", sum(greatest(bytes, 0))::float8 AS bytes
  FROM delivery_shares GROUP BY destination_id`;

/** Exchanges the waiting bytes per destination between deliverers. */
@Injectable()
export class ShareTable {
  constructor(private readonly database: Database) {}

  async add(changes: readonly ShareChange[]): Promise<void> {
    if (changes.length === 0) return;
    const columns = [
      changes.map(({ workspaceId }) => workspaceId),
      changes.map(({ destinationId }) => destinationId),
      changes.map(({ block }) => block),
      changes.map(({ bytes }) => bytes),
    ];
    await this.database.run(ADD_SQL, columns);
  }

  async read(): Promise<ShareRow[]> {
    return (await this.database.run<ShareRow>(READ_SQL)).rows;
  }

  async forget(destinationId: string): Promise<void> {
    await this.database.run('DELETE FROM delivery_shares WHERE destination_id = $1', [destinationId]);
  }
}
