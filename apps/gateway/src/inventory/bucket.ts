import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  type ConnectionRecord,
  type DestinationRecord,
  INVENTORY_BUCKET,
  INVENTORY_MARKER,
  type InventoryObjectType,
  inventoryKey,
  type SourceRecord,
  type WorkspaceRecord,
} from '@weir/contracts';
import { flushed, NATS, type Sql } from '@weir/messaging';
import { Database } from '@weir/service-kit';

const MARKER_KEY = inventoryKey(INVENTORY_MARKER.objectType, INVENTORY_MARKER.id);

/** The only writer of the INVENTORY bucket. */
@Injectable()
export class InventoryBucket {
  private opened: Promise<KV> | undefined;
  constructor(@Inject(NATS) private readonly nats: NatsConnection) {}

  /** Throws `unavailable` if the broker does not answer. The caller then changes nothing. */
  async requireBroker(): Promise<void> {
    try {
      await flushed(this.nats);
    } catch (cause) {
      throw new AppError('unavailable', 'The broker is not reachable. Nothing was changed', undefined, { cause });
    }
  }

  /**
   * Writes an object, or its deletion, over the entry of that revision. Returns false if the entry has changed meanwhile. So a write
   * that was held up overwrites nothing newer.
   */
  async write({ kind, id }: InventoryRef, record: InventoryRecord | undefined, previousSeq: number): Promise<boolean> {
    const bucket = await this.open();
    const key = inventoryKey(kind, id);
    try {
      if (record) await bucket.put(key, JSON.stringify(record), { previousSeq });
      else await bucket.delete(key, { previousSeq });
      return true;
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamWrongLastSequence) return false;
      throw error;
    }
  }

  /** Declares the bucket of that name complete. Any other bucket ignores the mark. */
  async mark(name: string): Promise<void> {
    await (await this.open()).put(MARKER_KEY, name);
  }

  async listRefs(): Promise<InventoryRef[]> {
    const bucket = await this.open();
    const refs: InventoryRef[] = [];
    for await (const key of await bucket.keys()) {
      if (key === MARKER_KEY) continue;
      const [kind, id = ''] = key.split('.') as [InventoryRef['kind'], string?];
      refs.push({ kind, id });
    }
    return refs;
  }

  /** Opens the bucket once. Forgets a failure, so that the next use tries again. */
  private open(): Promise<KV> {
    this.opened ??= new Kvm(this.nats).open(INVENTORY_BUCKET).catch((error: unknown) => {
      this.opened = undefined;
      throw error;
    });
    return this.opened;
  }
}

type InventoryRecord = SourceRecord | DestinationRecord | ConnectionRecord | WorkspaceRecord;

/** An object by its key in the bucket. Rows of the outbox hold it under these names, so that every version of Weir can read them. */
export interface InventoryRef {
  kind: InventoryObjectType;
  id: string;
}

const SELECT: Record<InventoryObjectType, string> = {
  source: `SELECT id, workspace_id AS "workspaceId", name, type, write_key AS "writeKey", enabled, partitions
    FROM sources`,
  destination: `SELECT id, workspace_id AS "workspaceId", name, type, enabled AND is_complete AS enabled,
    sealed_config AS "sealedConfig" FROM destinations`,
  connection: `SELECT id, workspace_id AS "workspaceId", source_id AS "sourceId", destination_id AS "destinationId",
    enabled FROM connections`,
  workspace: 'SELECT id, allow_fetch AS "allowFetch" FROM workspaces',
};
/** Filters the rows that the bucket holds. It omits workspaces with default settings. */
const HELD: Partial<Record<InventoryObjectType, string>> = { workspace: ' AND allow_fetch' };

/** Reads the inventory in the bucket's form. Not scoped by workspace, because only Weir's own processes read the bucket. */
@Injectable()
export class BucketRecords {
  constructor(private readonly database: Database) {}

  /** The committed state. Undefined if the object was deleted. */
  async find({ kind, id }: InventoryRef, sql: Sql = this.database): Promise<InventoryRecord | undefined> {
    const { rows } = await sql.run<InventoryRecord>(`${SELECT[kind]} WHERE id = $1${HELD[kind] ?? ''}`, [id]);
    return rows[0];
  }

  async listRefs(): Promise<InventoryRef[]> {
    const { rows } = await this.database.run<InventoryRef>(
      `SELECT 'source' AS kind, id FROM sources UNION ALL SELECT 'destination', id FROM destinations
       UNION ALL SELECT 'connection', id FROM connections
       UNION ALL SELECT 'workspace', id FROM workspaces WHERE allow_fetch`,
    );
    return rows;
  }
}
