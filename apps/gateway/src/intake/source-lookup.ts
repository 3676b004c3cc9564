import { Injectable } from '@nestjs/common';
import type { SourceRecord } from '@weir/contracts';
import { InventoryMirror } from '@weir/inventory';
import { LRUCache } from 'lru-cache';
import { refusals } from './refusals.js';

/** The mirror lags by milliseconds, on a busy machine by a second. A broker that needs longer counts as unavailable. */
const CATCH_UP_MS = 3_000;
/** Pause between two catch-ups for unknown keys. All waiting callers share one catch-up. */
const CATCH_UP_PAUSE_MS = 20;
/** Longer keys cannot exist, so they need no lookup. */
const WRITE_KEY_LENGTH_MAX = 128;
/** Unknown keys to remember, so that a client with a wrong key costs nothing. */
const UNKNOWN_MAX = 10_000;

/** Finds sources by their write keys. */
@Injectable()
export class SourceLookup {
  /**
   * The server generates keys, so a client learns a key only after its source is in the bucket. A key of this list gets valid only
   * when the bucket is rewritten, and then the mirror shows its source.
   */
  private readonly unknown = new LRUCache<string, true>({ max: UNKNOWN_MAX });
  private readonly mirrorIsCurrent: Coalesced;

  constructor(private readonly inventory: InventoryMirror) {
    this.mirrorIsCurrent = new Coalesced(() => inventory.catchUp(CATCH_UP_MS), CATCH_UP_PAUSE_MS);
  }

  /** The enabled source of a write key. Throws one of the {@link refusals}. */
  async sending(writeKey: string): Promise<SourceRecord> {
    const source = await this.find(writeKey);
    if (!source.enabled) throw refusals.disabledSource();
    return source;
  }

  /** The source of a write key, enabled or not. */
  async find(writeKey: string): Promise<SourceRecord> {
    return this.inventory.sourceByWriteKey(writeKey) ?? (await this.afterCatchUp(writeKey));
  }

  /** Waits for the mirror, because a new source may not have reached this process yet. */
  private async afterCatchUp(writeKey: string): Promise<SourceRecord> {
    if (writeKey.length > WRITE_KEY_LENGTH_MAX || this.unknown.has(writeKey)) throw refusals.invalidWriteKey();
    await this.mirrorIsCurrent.run().catch((cause: unknown) => {
      throw refusals.unavailable(cause);
    });
    const source = this.inventory.sourceByWriteKey(writeKey);
    if (source) return source;
    this.unknown.set(writeKey, true);
    throw refusals.invalidWriteKey();
  }
}

/**
 * Shares runs of `work` among callers. Each caller gets a run that began after its call. Runs never overlap, and a pause
 * separates them. A flood of callers therefore costs no more than one caller that repeats its call.
 */
export class Coalesced {
  private running: Promise<unknown> = Promise.resolve();
  private next: Promise<void> | undefined;

  constructor(
    private readonly work: () => Promise<void>,
    private readonly pauseMs: number,
  ) {}

  run(): Promise<void> {
    this.next ??= this.running.then(() => this.begin());
    return this.next;
  }

  private begin(): Promise<void> {
    this.next = undefined;
    const result = this.work();
    const pause = () => new Promise((done) => setTimeout(done, this.pauseMs));
    this.running = result.then(pause, pause);
    return result;
  }
}
