import { Injectable } from '@nestjs/common';
import type { SourceRecord } from '@weir/contracts';
import { InventoryMirror } from '@weir/messaging';
import { Coalesced } from './coalesced.js';
import { refusals } from './refusals.js';

/** The mirror follows within milliseconds; a broker that takes longer is as good as away. */
const CATCH_UP_MS = 1_000;
/** Between two questions to the broker about unknown keys, however many ask. */
const CATCH_UP_PAUSE_MS = 20;
/** No write key is longer: it need not be looked for. */
const WRITE_KEY_LENGTH_MAX = 128;
/** Unknown keys that are remembered, so that a misconfigured client costs nothing. */
const UNKNOWN_MAX = 10_000;

/** Finds sources by their write keys. */
@Injectable()
export class SourceLookup {
  private readonly unknown = new Set<string>();
  private readonly mirrorIsCurrent: Coalesced;

  constructor(private readonly inventory: InventoryMirror) {
    this.mirrorIsCurrent = new Coalesced(() => inventory.catchUp(CATCH_UP_MS), CATCH_UP_PAUSE_MS);
    // A key is made by the server, so nobody can have asked for it before its source is in the bucket; a bucket that is
    // written anew is the one case in which an unknown key becomes known.
    inventory.onChange(() => this.unknown.clear());
  }

  /** The source that may send; throws one of the {@link refusals}. */
  async sending(writeKey: string): Promise<SourceRecord> {
    const source = await this.find(writeKey);
    if (!source.enabled) throw refusals.disabledSource();
    return source;
  }

  /** The source of a write key, enabled or not. */
  async find(writeKey: string): Promise<SourceRecord> {
    return this.inventory.sourceByWriteKey(writeKey) ?? (await this.afterCatchUp(writeKey));
  }

  /** A source that was made a moment ago may not have reached this process yet. */
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
