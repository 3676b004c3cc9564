import { Injectable } from '@nestjs/common';
import { type EventBatch, type JsonObject, matchIdsOf, partitionOf } from '@weir/contracts';
import { Slices, type Sql } from '@weir/messaging';
import { lockFences, readFences } from '../fence/fence.repository.js';
import { Pepper } from '../secrets/pepper.js';

/** A batch to be counted. */
export interface IncomingBatch extends EventBatch {
  /** Of the filter that let it pass; none is the earliest. */
  epoch?: number;
}

/** Whether an event of the batch is not to be counted. */
export type IsRefused = (event: JsonObject, batch: IncomingBatch) => boolean;

/** Batches to be flushed, and the earliest epoch of each partition among them. */
interface Incoming {
  read: () => Iterable<IncomingBatch>;
  epochs: ReadonlyMap<number, number>;
}

/** Users whose keys are looked up at a time. */
const KEYS_AT_ONCE = 5_000;

/**
 * Refuses what a filter wrote before a deletion and what landed after it: a publish may hang in a socket while another filter
 * has gone on, long after everything of before is counted and purged. Its epoch tells it, and in it only events of purged
 * users that came in before their purge are refused: all others may have no other message. Docs: decisions/0007-deletion-fence.md.
 */
@Injectable()
export class LateEvents {
  constructor(private readonly pepper: Pepper) {}

  /** Undefined: nothing is refused. Stays true until the transaction ends: no purge begins meanwhile. */
  async refusedBy(sql: Sql, { read, epochs }: Incoming): Promise<IsRefused | undefined> {
    await lockFences(sql, 'to read them');
    const fences = await readFences(sql);
    if (![...epochs].some(([partition, epoch]) => epoch < (fences.get(partition) ?? 0))) return undefined;
    const isLate = ({ workspaceId, sourceId, epoch = 0 }: IncomingBatch) =>
      epoch < (fences.get(partitionOf(workspaceId, sourceId)) ?? 0);
    const purgedAt = await this.purgedAmong(sql, read, isLate);
    if (purgedAt.size === 0) return undefined;
    return (event, batch) =>
      isLate(batch) && this.keysOf(event, batch).some((key) => batch.receivedAt <= (purgedAt.get(key) ?? ''));
  }

  /** When each of the late batches' users was purged (ISO 8601), by key. */
  private async purgedAmong(
    sql: Sql,
    read: Incoming['read'],
    isLate: (batch: IncomingBatch) => boolean,
  ): Promise<Map<string, string>> {
    const slices = new Slices();
    const keys = new Set<string>();
    for (const batch of read()) {
      if (!isLate(batch)) continue;
      for (const event of batch.events) for (const key of this.keysOf(event, batch)) keys.add(key);
      if (slices.isOver) await slices.next();
    }
    const asked = [...keys];
    const purgedAt = new Map<string, string>();
    for (let at = 0; at < asked.length; at += KEYS_AT_ONCE) {
      const rows = await sql.query<{ key: string; at: Date }[]>(
        // A key is of one workspace: it is a part of what the key is made from.
        `SELECT user_key AS key, max(purged_at) AS at FROM purged_users WHERE user_key = ANY($1::text[]) GROUP BY user_key`,
        [asked.slice(at, at + KEYS_AT_ONCE)],
      );
      for (const row of rows) purgedAt.set(row.key, row.at.toISOString());
    }
    return purgedAt;
  }

  private keysOf(event: JsonObject, { workspaceId }: IncomingBatch): string[] {
    return matchIdsOf(event).map((id) => this.pepper.userKey(workspaceId, id));
  }
}
