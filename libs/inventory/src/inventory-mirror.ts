import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { Kvm, type KvWatchEntry } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import {
  AppError,
  type ConnectionRecord,
  type DestinationRecord,
  INVENTORY_BUCKET,
  inventoryKey,
  isAppError,
  type SourceRecord,
} from '@weir/contracts';
import { type InventoryChange, InventoryContents, refOf } from './inventory-contents.js';

/** How often to check whether the bucket was recreated. */
const LOOK_MS = 1_000;
const API_TIMEOUT_MS = 2_000;
/** How long a starting process waits for a broker that is slow to answer, as long as for its database. */
const START_PATIENCE_MS = 20_000;
const WAIT_POLL_MS = 10;

/** A position in a bucket that some process has seen. The previous Weir version sends no bucket name. */
export interface InventoryMark {
  bucket?: string | undefined;
  revision: number;
}

interface BucketState {
  bucket: string;
  bytes: number;
  messages: number;
  first: number;
  last: number;
}

/**
 * Keeps the INVENTORY bucket in memory with a watch. Shows a new bucket only once it is complete, and the previous contents until
 * then. After a start that is nothing. Only gateway, deliverer and eraser may use it.
 */
export class InventoryMirror {
  /** The visible contents. */
  private contents = new InventoryContents('');
  /** The contents that the watch fills: the visible ones, or those that replace them once complete. */
  private filling = this.contents;
  private readonly listeners: ((change: InventoryChange) => void)[] = [];
  /** Why the visible contents may be out of date. */
  private problem: string | undefined = 'is not read yet';
  private stopped = false;
  private watch: { stop(): void } | undefined;
  private manager: Promise<JetStreamManager> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<unknown> = Promise.resolve();
  private heldBytes = 0;

  constructor(
    private readonly nats: NatsConnection,
    private readonly log: { warn(message: string): void },
  ) {}

  /** Resolves when the current bucket has been read, complete or not. Rejects when it is missing or the broker stays silent. */
  async start(): Promise<void> {
    await this.firstLook();
    this.lookLater();
    while (!this.stopped && !this.filling.isRead) await sleep(WAIT_POLL_MS);
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.watch?.stop();
  }

  /** The position of this mirror, for another mirror to wait for. */
  get mark(): Required<InventoryMark> {
    const { bucket = '', revision } = this.contents;
    return { bucket, revision };
  }

  /** Why a missing object in this mirror does not prove that it does not exist. */
  get whyIncomplete(): string | undefined {
    return this.problem;
  }

  /** Whether any contents are visible, even those of a lost bucket. */
  get hasContents(): boolean {
    return this.contents.isRead;
  }

  /** The bucket that was read completely but has no marker from the gateway. */
  get unmarkedBucket(): string | undefined {
    const { isRead, markedAt, bucket } = this.filling;
    return isRead && markedAt === undefined ? bucket : undefined;
  }

  /** The bucket being watched. */
  get bucket(): string {
    return this.filling.bucket;
  }

  /** Bytes of the bucket at the broker a moment ago. Each process that has a mirror holds about as much in memory. */
  get bytes(): number {
    return this.heldBytes;
  }

  /** Revision of an object's last entry in the bucket being watched, or 0. A writer names it, so that a late write changes nothing. */
  revisionOf({ objectType, id }: InventoryChange): number {
    return this.filling.revisionOf(inventoryKey(objectType, id));
  }

  source(id: string): SourceRecord | undefined {
    return this.contents.sources.get(id);
  }

  sourceByWriteKey(writeKey: string): SourceRecord | undefined {
    return this.contents.sourceByWriteKey(writeKey);
  }

  destination(id: string): DestinationRecord | undefined {
    return this.contents.destinations.get(id);
  }

  destinations(): DestinationRecord[] {
    return [...this.contents.destinations.values()];
  }

  connectionsOf(sourceId: string): ConnectionRecord[] {
    return this.contents.connectionsOf(sourceId);
  }

  /** Whether user code of the workspace may call `fetch`. Off by default. */
  allowsFetch(workspaceId: string): boolean {
    return this.contents.workspaces.get(workspaceId)?.allowFetch ?? false;
  }

  onChange(listener: (change: InventoryChange) => void): void {
    this.listeners.push(listener);
  }

  /**
   * Resolves when this mirror has reached the mark. Revisions of a recreated bucket restart. So if the mark is of another bucket
   * or is not reached, this waits for the current state of the bucket instead. Throws `unavailable` when the mirror cannot catch
   * up in time, or the bucket is not complete.
   */
  async waitFor({ bucket = this.contents.bucket, revision }: InventoryMark, timeoutMs: number): Promise<void> {
    const isComparable = bucket === this.contents.bucket;
    if (isComparable && (await this.reaches({ bucket, revision }, timeoutMs))) return;
    await this.catchUp(isComparable ? 0 : timeoutMs);
  }

  /** Resolves when this mirror has everything that the bucket held at the time of the call. Throws like {@link waitFor}. */
  async catchUp(timeoutMs: number): Promise<void> {
    const { bucket, last } = await this.look();
    if (!(await this.reaches({ bucket, revision: last }, timeoutMs)))
      throw new AppError('unavailable', 'The inventory is not up to date yet');
  }

  private async reaches(mark: Required<InventoryMark>, timeoutMs: number): Promise<boolean> {
    const end = performance.now() + timeoutMs;
    while (!this.has(mark)) {
      if (performance.now() >= end) return false;
      await sleep(WAIT_POLL_MS);
    }
    return true;
  }

  private has({ bucket, revision }: Required<InventoryMark>): boolean {
    return !this.problem && this.contents.bucket === bucket && this.contents.revision >= revision;
  }

  private async firstLook(): Promise<void> {
    const end = performance.now() + START_PATIENCE_MS;
    for (;;) {
      try {
        await this.look();
        return;
      } catch (error) {
        if (isAppError(error) || this.stopped || performance.now() >= end) throw error;
        this.log.warn(`the inventory cannot be read yet: ${(error as Error).message}`);
        await sleep(WAIT_POLL_MS);
      }
    }
  }

  private lookLater(): void {
    this.timer = setTimeout(() => {
      this.look()
        .catch((error: Error) => this.log.warn(`the inventory cannot be followed: ${error.message}`))
        .finally(() => !this.stopped && this.lookLater());
    }, LOOK_MS);
  }

  /** Checks which bucket the broker has and follows it if it is new. Runs one check at a time. */
  private look(): Promise<BucketState> {
    const looked = this.looking.then(() => this.compare());
    this.looking = looked.catch(() => undefined);
    return looked;
  }

  private async compare(): Promise<BucketState> {
    const now = await this.bucketNow();
    if (!now) {
      this.problem = 'the bucket is missing: run the migrations';
      throw new AppError('unavailable', 'The inventory is missing');
    }
    this.heldBytes = now.bytes;
    const isShown = now.bucket === this.contents.bucket;
    this.problem = isShown ? undefined : 'the gateway has not written all of it into the bucket yet';
    if (!this.watch || now.bucket !== this.filling.bucket) await this.follow(now.bucket);
    this.filling.compare(now);
    return now;
  }

  private async bucketNow(): Promise<BucketState | undefined> {
    this.manager ??= jetstreamManager(this.nats, { timeout: API_TIMEOUT_MS, checkAPI: false });
    try {
      const { created, state } = await (await this.manager).streams.info(`KV_${INVENTORY_BUCKET}`);
      const { bytes, messages, first_seq: first, last_seq: last } = state;
      return { bucket: String(created), bytes, messages, first, last };
    } catch (error) {
      if ((error as { status?: unknown }).status === 404) return undefined;
      throw error;
    }
  }

  /** Also rereads the same bucket when its watch has ended. The visible contents stay until that is complete. */
  private async follow(bucket: string): Promise<void> {
    this.watch?.stop();
    this.watch = undefined;
    const filling = new InventoryContents(bucket);
    const watch = await (await new Kvm(this.nats).open(INVENTORY_BUCKET)).watch();
    this.filling = filling;
    this.watch = watch;
    if (this.stopped) watch.stop();
    void (async () => {
      for await (const entry of watch) this.apply(filling, entry);
    })()
      .catch((error: Error) => this.log.warn(`the watch of the inventory restarts: ${error.message}`))
      .finally(() => {
        if (this.watch === watch) this.watch = undefined;
      });
  }

  private apply(filling: InventoryContents, entry: KvWatchEntry): void {
    if (this.filling !== filling) return;
    try {
      filling.apply(entry);
    } catch (error) {
      this.log.warn(`an inventory entry cannot be read: ${entry.key}: ${(error as Error).message}`);
    }
    if (this.contents === filling) this.tell(refOf(entry));
    else if (filling.isComplete) this.show(filling);
  }

  /** Makes contents visible that are now complete. */
  private show(contents: InventoryContents): void {
    const before = this.contents;
    this.contents = contents;
    this.problem = undefined;
    const shown = new Map(
      [...before.refs(), ...contents.refs()].map((ref) => [inventoryKey(ref.objectType, ref.id), ref]),
    );
    for (const change of shown.values()) this.tell(change);
  }

  private tell(change: InventoryChange): void {
    for (const listener of this.listeners) listener(change);
  }
}

const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));
