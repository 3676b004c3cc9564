import { Injectable } from '@nestjs/common';
import type {
  ConnectionRecord,
  DestinationRecord,
  InventoryKind,
  SourceRecord,
  WorkspaceRecord,
} from '@weir/contracts';
import { DataSource } from 'typeorm';

export type InventoryRecord = SourceRecord | DestinationRecord | ConnectionRecord | WorkspaceRecord;

/** An object by its key in the bucket. */
export interface InventoryRef {
  kind: InventoryKind;
  id: string;
}

const SELECT: Record<InventoryKind, string> = {
  source: `SELECT id, workspace_id AS "workspaceId", name, type, write_key AS "writeKey", enabled FROM sources`,
  destination: `SELECT id, workspace_id AS "workspaceId", name, type, enabled, sealed_config AS "sealedConfig"
    FROM destinations`,
  connection: `SELECT id, workspace_id AS "workspaceId", source_id AS "sourceId", destination_id AS "destinationId",
    enabled FROM connections`,
  workspace: 'SELECT id, allow_fetch AS "allowFetch" FROM workspaces',
};
/** Filters the rows that the bucket holds. It omits workspaces with default settings. */
const HELD: Partial<Record<InventoryKind, string>> = { workspace: ' AND allow_fetch' };

/** Reads the inventory in the bucket's form. Not scoped by workspace, because only Weir's own processes read the bucket. */
@Injectable()
export class BucketRecords {
  constructor(private readonly database: DataSource) {}

  /** The committed state. Undefined if the object was deleted. */
  async find({ kind, id }: InventoryRef): Promise<InventoryRecord | undefined> {
    const [row] = await this.database.query<InventoryRecord[]>(`${SELECT[kind]} WHERE id = $1${HELD[kind] ?? ''}`, [
      id,
    ]);
    return row;
  }

  listRefs(): Promise<InventoryRef[]> {
    return this.database.query<InventoryRef[]>(
      `SELECT 'source' AS kind, id FROM sources UNION ALL SELECT 'destination', id FROM destinations
       UNION ALL SELECT 'connection', id FROM connections
       UNION ALL SELECT 'workspace', id FROM workspaces WHERE allow_fetch`,
    );
  }
}
