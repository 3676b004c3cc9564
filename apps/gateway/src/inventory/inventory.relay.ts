import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { AppError, chunksOf, INVENTORY_MARKER, inventoryKey } from '@weir/contracts';
import { InventoryMirror } from '@weir/inventory';
import { OutboxRelay, type OutboxRow, outboxAdd, Periodic, type Sql } from '@weir/messaging';
import { Database } from '@weir/service-kit';
import { BucketRecords, InventoryBucket, type InventoryRef } from './bucket.js';

const TOPIC = 'inventory.changed';
/** This process's own mirror follows the bucket within milliseconds, and on a busy machine within seconds. */
const MIRROR_TIMEOUT_MS = 5_000;
const MIRROR_POLL_MS = 10;
/** Outbox rows per statement when a lost bucket is rewritten. */
const CHUNK_ROWS = 1_000;
/** Interval of checks for a lost bucket. */
const HEAL_MS = 1_000;
/** Longest wait of a start for its own mirror, which may have much to read. */
const START_TIMEOUT_MS = 10_000;

/**
 * Records in the same transaction that an object changed. The relay reads its current state later. Changes of a workspace wait for no
 * other workspace.
 */
export const tellChange = (sql: Sql, ref: InventoryRef, workspaceId: string | undefined) =>
  outboxAdd(sql, TOPIC, { ...ref, ...(workspaceId !== undefined && { workspaceId }) });

/** Copies committed changes to the INVENTORY bucket, those of a workspace in order, however long the broker is away. */
@Injectable()
export class InventoryRelay implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(InventoryRelay.name);
  private readonly relay: OutboxRelay;
  private readonly healing = new Periodic({
    task: 'complete the bucket',
    everyMs: HEAL_MS,
    run: () => this.heal(),
    log: this.logger,
  });

  constructor(
    private readonly database: Database,
    private readonly records: BucketRecords,
    private readonly bucket: InventoryBucket,
    private readonly mirror: InventoryMirror,
  ) {
    this.relay = new OutboxRelay(database, (row, sql) => this.deliver(row, sql), this.logger);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.reconcile();
    this.relay.start();
    this.healing.start();
    await this.mirror
      .catchUp(START_TIMEOUT_MS)
      .catch((error: Error) => this.logger.warn(`the inventory mirror is behind: ${error.message}`));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.healing.stop();
    await this.relay.stop();
  }

  /**
   * Resolves when everything of the workspace that was committed before the call is in the bucket and in this process's mirror. Without a
   * workspace, what a repair told.
   */
  async flush(workspaceId?: string): Promise<void> {
    try {
      await this.relay.flush(workspaceId);
      await this.mirror.catchUp(MIRROR_TIMEOUT_MS);
    } catch (cause) {
      const message = 'The change is stored, and takes effect as soon as the broker is back';
      throw new AppError('unavailable', message, undefined, { cause });
    }
  }

  /**
   * Writes the current state, not the state at the time of the row. The latest state wins, even if a row is relayed twice or
   * late.
   */
  private async deliver({ payload }: OutboxRow, sql: Sql): Promise<void> {
    const { bucket, kind, id } = payload as unknown as InventoryRef & { bucket?: string };
    if (bucket !== undefined) return this.bucket.mark(bucket);
    const end = performance.now() + MIRROR_TIMEOUT_MS;
    while (!(await this.write({ kind, id }, sql))) {
      if (performance.now() > end) throw new AppError('unavailable', 'The inventory mirror is behind the bucket');
      await sleep(MIRROR_POLL_MS);
    }
  }

  /** Takes the revision before it reads. If another process writes in between, the entry has another one. */
  private async write(ref: InventoryRef, sql: Sql): Promise<boolean> {
    const revision = this.mirror.revisionOf({ objectType: ref.kind, id: ref.id });
    return this.bucket.write(ref, await this.records.find(ref, sql), revision);
  }

  /** A bucket that is recreated while this process runs is empty. No process relies on it until it is marked complete. */
  private async heal(): Promise<void> {
    if (this.mirror.unmarkedBucket === undefined) return;
    await this.reconcile();
    await this.flush();
  }

  /** Repairs a lost or outdated bucket: relays every object that only one side has. */
  private async reconcile(): Promise<void> {
    const { bucket } = this.mirror;
    const [stored, published] = await Promise.all([this.records.listRefs(), this.bucket.listRefs()]);
    const differing = difference(stored, published);
    // Rows of no workspace are relayed in order, so the mark comes after everything that it declares complete.
    const told = [...differing, { kind: INVENTORY_MARKER.objectType, id: INVENTORY_MARKER.id, bucket }];
    for (const chunk of chunksOf<object>(told, { itemsMax: CHUNK_ROWS })) {
      await this.database.run(
        `INSERT INTO outbox (topic, payload)
         SELECT $1, ref FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY AS refs (ref, place) ORDER BY place`,
        [TOPIC, JSON.stringify(chunk)],
      );
    }
    if (differing.length > 0) this.logger.warn(`${differing.length} inventory entries differ and are written again`);
  }
}

function difference(stored: InventoryRef[], published: InventoryRef[]): InventoryRef[] {
  const keysOf = (refs: InventoryRef[]) => new Set(refs.map(({ kind, id }) => inventoryKey(kind, id)));
  const [storedKeys, publishedKeys] = [keysOf(stored), keysOf(published)];
  return [
    ...stored.filter(({ kind, id }) => !publishedKeys.has(inventoryKey(kind, id))),
    ...published.filter(({ kind, id }) => !storedKeys.has(inventoryKey(kind, id))),
  ];
}
