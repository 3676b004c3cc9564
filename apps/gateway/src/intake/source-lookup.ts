import { Injectable } from '@nestjs/common';
import type { SourceRecord } from '@weir/contracts';
import { InventoryMirror } from '@weir/messaging';
import { Coalesced } from './coalesced.js';
import { refusals } from './refusals.js';

/** The mirror lags by milliseconds. A broker that needs longer than this counts as unavailable. */
const CATCH_UP_MS = 1_000;
/** Pause between two catch-ups for unknown keys, however many callers wait. */
const CATCH_UP_PAUSE_MS = 20;
/** Longer keys cannot exist, so they need no lookup. */
const WRITE_KEY_LENGTH_MAX = 128;
/** Unknown keys to remember, so that a misconfigured client costs nothing. */
const UNKNOWN_MAX = 10_000;

/** Finds sources by their write keys. */
@Injectable()
export class SourceLookup {
  private readonly unknown = new Set<string>();
  private readonly mirrorIsCurrent: Coalesced;

  constructor(private readonly inventory: InventoryMirror) {
    this.mirrorIsCurrent = new Coalesced(() => inventory.catchUp(CATCH_UP_MS), CATCH_UP_PAUSE_MS);
    // The server generates keys, so clients learn a key only after its source is in the bucket. An unknown key can become known
    // only if the bucket is rewritten.
    inventory.onChange(() => this.unknown.clear());
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
    if (this.unknown.size >= UNKNOWN_MAX) this.unknown.clear();
    this.unknown.add(writeKey);
    throw refusals.invalidWriteKey();
  }
}
