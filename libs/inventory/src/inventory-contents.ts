import type { KvWatchEntry } from '@nats-io/kv';
import {
  ConnectionRecord,
  DestinationRecord,
  INVENTORY_MARKER,
  type InventoryObjectType,
  inventoryKey,
  SourceRecord,
  WorkspaceRecord,
} from '@weir/contracts';

export type InventoryChange = { objectType: InventoryObjectType; id: string };

export const refOf = ({ key }: Pick<KvWatchEntry, 'key'>): InventoryChange => {
  const [objectType, id] = key.split('.') as [InventoryObjectType, string];
  return { objectType, id };
};

const MARKER_KEY = inventoryKey(INVENTORY_MARKER.objectType, INVENTORY_MARKER.id);

/** The contents of one bucket, built entry by entry. A recreated bucket gets a new object. */
export class InventoryContents {
  readonly destinations = new Map<string, DestinationRecord>();
  readonly sources = new Map<string, SourceRecord>();
  readonly workspaces = new Map<string, WorkspaceRecord>();
  private readonly connections = new Map<string, ConnectionRecord>();
  private readonly writeKeys = new Map<string, string>();
  private readonly bySource = new Map<string, Map<string, ConnectionRecord>>();
  /** Revision of the last entry. */
  revision = 0;
  private readonly revisions = new Map<string, number>();
  /** Revision of the first entry that the bucket still has. */
  private first = 0;
  /** True once all initial entries of the bucket have been read. */
  isRead = false;
  /** Revision of the marker by which the gateway declares this bucket complete. */
  markedAt: number | undefined;

  constructor(readonly bucket: string) {}

  /** Revision of the last entry of a key, be it a deletion. 0 if the bucket has none. */
  revisionOf(key: string): number {
    const revision = this.revisions.get(key) ?? 0;
    return revision < this.first ? 0 : revision;
  }

  get isComplete(): boolean {
    return this.isRead && this.markedAt !== undefined;
  }

  sourceByWriteKey(writeKey: string): SourceRecord | undefined {
    return this.sources.get(this.writeKeys.get(writeKey) ?? '');
  }

  /** In order of creation, because ids sort by time. */
  connectionsOf(sourceId: string): ConnectionRecord[] {
    return [...(this.bySource.get(sourceId)?.values() ?? [])].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  *refs(): Iterable<InventoryChange> {
    for (const id of this.sources.keys()) yield { objectType: 'source', id };
    for (const id of this.destinations.keys()) yield { objectType: 'destination', id };
    for (const id of this.connections.keys()) yield { objectType: 'connection', id };
    for (const id of this.workspaces.keys()) yield { objectType: 'workspace', id };
  }

  /** Throws on an invalid entry, and then keeps nothing under its key. */
  apply(entry: KvWatchEntry): void {
    this.revision = entry.revision;
    this.revisions.set(entry.key, entry.revision);
    if (entry.isUpdate) this.isRead = true; // the last initial entry is the first one with this flag
    const { objectType, id } = refOf(entry);
    if (entry.key === MARKER_KEY) this.mark(entry);
    else if (objectType === 'source') this.putSource(id, entry);
    else if (objectType === 'destination') put(this.destinations, id, recordOf(DestinationRecord, entry));
    else if (objectType === 'connection') this.putConnection(id, entry);
    else if (objectType === 'workspace') put(this.workspaces, id, recordOf(WorkspaceRecord, entry));
  }

  /** Applies the broker's state of the bucket. An empty bucket sends no entries, and a purge removes the marker silently. */
  compare({ messages, first }: { messages: number; first: number }): void {
    this.first = first;
    if (messages === 0) this.isRead = true;
    if (this.markedAt !== undefined && this.markedAt < first) this.markedAt = undefined;
  }

  /** A marker with the creation time of another bucket does not count. */
  private mark(entry: KvWatchEntry): void {
    const isOfThis = entry.operation === 'PUT' && entry.string() === this.bucket;
    this.markedAt = isOfThis ? entry.revision : undefined;
  }

  private putSource(id: string, entry: KvWatchEntry): void {
    const before = this.sources.get(id);
    // another source may have the key by now: entries of two gateways come in any order
    if (before && this.writeKeys.get(before.writeKey) === id) this.writeKeys.delete(before.writeKey);
    this.sources.delete(id);
    const source = recordOf(SourceRecord, entry);
    put(this.sources, id, source);
    if (source) this.writeKeys.set(source.writeKey, id);
  }

  private putConnection(id: string, entry: KvWatchEntry): void {
    const before = this.connections.get(id);
    if (before) this.bySource.get(before.sourceId)?.delete(id);
    this.connections.delete(id);
    const connection = recordOf(ConnectionRecord, entry);
    if (!connection) return;
    this.connections.set(id, connection);
    const siblings = this.bySource.get(connection.sourceId) ?? new Map<string, ConnectionRecord>();
    this.bySource.set(connection.sourceId, siblings.set(id, connection));
  }
}

/** Undefined when the entry is a deletion. */
const recordOf = <T>(schema: { parse(json: unknown): T }, entry: KvWatchEntry): T | undefined =>
  entry.operation === 'PUT' ? schema.parse(entry.json()) : undefined;

function put<T>(records: Map<string, T>, id: string, record: T | undefined): void {
  if (record === undefined) records.delete(id);
  else records.set(id, record);
}
