import { jetstreamManager } from '@nats-io/jetstream';
import { type KvEntry, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import {
  AppError,
  ConnectionRecord,
  DestinationRecord,
  INVENTORY_BUCKET,
  type InventoryKind,
  SourceRecord,
  WorkspaceRecord,
} from '@weir/contracts';
import type { Log } from './lease-keeper.js';

const RETRY_MS = 500;
const WAIT_POLL_MS = 10;

export type InventoryChange = { kind: InventoryKind; id: string };

/** The INVENTORY bucket in memory, kept current by a watch. Only gateway, deliverer and eraser may hold one. */
export class InventoryMirror {
  private readonly sources = new Map<string, SourceRecord>();
  private readonly writeKeys = new Map<string, string>();
  private readonly destinationsById = new Map<string, DestinationRecord>();
  private readonly connections = new Map<string, ConnectionRecord>();
  private readonly bySource = new Map<string, Map<string, ConnectionRecord>>();
  private readonly workspaces = new Map<string, WorkspaceRecord>();
  private readonly listeners: ((change: InventoryChange) => void)[] = [];
  private seen = 0;
  private stopped = false;
  private watch: { stop(): void } | undefined;

  constructor(
    private readonly nats: NatsConnection,
    private readonly log: Log,
  ) {}

  /** Settles when the bucket as it is now has been read. */
  async start(): Promise<void> {
    await this.follow();
    void this.keepFollowing();
  }

  stop(): void {
    this.stopped = true;
    this.watch?.stop();
  }

  /** Revision of the bucket that this mirror has. */
  get revision(): number {
    return this.seen;
  }

  source(id: string): SourceRecord | undefined {
    return this.sources.get(id);
  }

  sourceByWriteKey(writeKey: string): SourceRecord | undefined {
    return this.sources.get(this.writeKeys.get(writeKey) ?? '');
  }

  destination(id: string): DestinationRecord | undefined {
    return this.destinationsById.get(id);
  }

  destinations(): DestinationRecord[] {
    return [...this.destinationsById.values()];
  }

  /** In order of creation: ids are sorted by time. */
  connectionsOf(sourceId: string): ConnectionRecord[] {
    return [...(this.bySource.get(sourceId)?.values() ?? [])].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Whether user code of the workspace may call `fetch`: off unless the workspace has changed that. */
  allowsFetch(workspaceId: string): boolean {
    return this.workspaces.get(workspaceId)?.allowFetch ?? false;
  }

  onChange(listener: (change: InventoryChange) => void): void {
    this.listeners.push(listener);
  }

  /**
   * Settles when this mirror has at least that revision, or all there is: a bucket that was lost and written anew counts
   * from one again. Throws `unavailable` when it cannot catch up in time.
   */
  async waitFor(revision: number, timeoutMs: number): Promise<void> {
    const end = Date.now() + timeoutMs;
    while (this.seen < revision) {
      if (Date.now() > end) {
        if (this.seen >= (await this.lastRevision())) return;
        throw new AppError('unavailable', 'The inventory is not up to date yet');
      }
      await new Promise((done) => setTimeout(done, WAIT_POLL_MS));
    }
  }

  /** Settles when this mirror has everything that the bucket had when it was asked; else as {@link waitFor}. */
  async catchUp(timeoutMs: number): Promise<void> {
    await this.waitFor(await this.lastRevision(), timeoutMs);
  }

  private async lastRevision(): Promise<number> {
    const manager = await jetstreamManager(this.nats);
    const { state } = await manager.streams.info(`KV_${INVENTORY_BUCKET}`);
    return state.last_seq;
  }

  private closed: Promise<void> = Promise.resolve();

  private async follow(): Promise<void> {
    const bucket = await new Kvm(this.nats).open(INVENTORY_BUCKET);
    const { values } = await bucket.status();
    const watch = await bucket.watch();
    this.watch = watch;
    let remaining = values;
    await new Promise<void>((ready, fail) => {
      if (remaining === 0) ready();
      this.closed = (async () => {
        for await (const entry of watch) {
          this.apply(entry);
          remaining -= 1;
          if (remaining === 0) ready();
        }
        fail(new Error('the watch ended'));
      })();
    });
  }

  private async keepFollowing(): Promise<void> {
    while (!this.stopped) {
      await this.closed.catch(() => undefined);
      if (this.stopped) return;
      await new Promise((done) => setTimeout(done, RETRY_MS));
      await this.follow().catch((error: Error) => this.log.warn(`the inventory cannot be followed: ${error.message}`));
    }
  }

  private apply(entry: KvEntry): void {
    const [kind, id] = entry.key.split('.') as [InventoryKind, string];
    try {
      if (kind === 'source') this.putSource(id, entry);
      if (kind === 'destination') this.putDestination(id, entry);
      if (kind === 'connection') this.putConnection(id, entry);
      if (kind === 'workspace') this.putWorkspace(id, entry);
    } catch (error) {
      this.log.warn(`an inventory entry is not understood: ${entry.key}: ${(error as Error).message}`);
    }
    this.seen = entry.revision;
    for (const listener of this.listeners) listener({ kind, id });
  }

  private putSource(id: string, entry: KvEntry): void {
    const before = this.sources.get(id);
    if (before) this.writeKeys.delete(before.writeKey);
    this.sources.delete(id);
    if (entry.operation !== 'PUT') return;
    const source = SourceRecord.parse(entry.json());
    this.sources.set(id, source);
    this.writeKeys.set(source.writeKey, id);
  }

  private putDestination(id: string, entry: KvEntry): void {
    if (entry.operation === 'PUT') this.destinationsById.set(id, DestinationRecord.parse(entry.json()));
    else this.destinationsById.delete(id);
  }

  private putWorkspace(id: string, entry: KvEntry): void {
    if (entry.operation === 'PUT') this.workspaces.set(id, WorkspaceRecord.parse(entry.json()));
    else this.workspaces.delete(id);
  }

  private putConnection(id: string, entry: KvEntry): void {
    const before = this.connections.get(id);
    if (before) this.bySource.get(before.sourceId)?.delete(id);
    this.connections.delete(id);
    if (entry.operation !== 'PUT') return;
    const connection = ConnectionRecord.parse(entry.json());
    this.connections.set(id, connection);
    const siblings = this.bySource.get(connection.sourceId) ?? new Map<string, ConnectionRecord>();
    this.bySource.set(connection.sourceId, siblings.set(id, connection));
  }
}
