import { Injectable } from '@nestjs/common';
import { chunksOf, type EventBatch, type JsonObject, matchIdsOf, partitionOfBatch } from '@weir/contracts';
import { Slices, type Sql } from '@weir/messaging';
import { lockFences, readFences } from '../purge/fence.repository.js';
import { UserKeys } from '../secrets/user-keys.js';

/** A batch to count. */
export interface IncomingBatch extends EventBatch {
  /** Epoch of the filter that let it pass. A missing epoch counts as the earliest. */
  epoch?: number;
}

/** Whether an event of the batch must not be counted. */
export type IsRefused = (event: JsonObject, batch: IncomingBatch) => boolean;

/** Batches to flush, and the earliest epoch of each partition among them. */
interface Incoming {
  read: () => Iterable<IncomingBatch>;
  epochs: ReadonlyMap<number, number>;
}

/** User keys per query. */
const KEYS_AT_ONCE = 5_000;

/**
 * Refuses events that a filter published before a deletion and that arrive after it. A publish can hang in a socket while another
 * filter takes over, until long after earlier events are counted and purged. An old epoch reveals such a batch. In it, only
 * events that purged users sent before their purge are refused. The other events may exist in no other message. Docs:
 * decisions/0007-deletion-fence.md.
 */
@Injectable()
export class LateEvents {
  constructor(private readonly keys: UserKeys) {}

  /** Undefined if nothing is refused. The result holds until the transaction ends, because no purge can begin before that. */
  async refusedBy(sql: Sql, { read, epochs }: Incoming): Promise<IsRefused | undefined> {
    await lockFences(sql, 'to read them');
    const fences = await readFences(sql);
    if (![...epochs].some(([partition, epoch]) => epoch < (fences.get(partition) ?? 0))) return undefined;
    const isLate = (batch: IncomingBatch) => (batch.epoch ?? 0) < (fences.get(partitionOfBatch(batch)) ?? 0);
    const purgedAt = await this.purgedAmong(sql, read, isLate);
    if (purgedAt.size === 0) return undefined;
    return (event, batch) =>
      isLate(batch) && this.keysOf(event, batch).some((key) => batch.receivedAt <= (purgedAt.get(key) ?? ''));
  }

  /** When each user of the late batches was purged (ISO 8601), by user key. */
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
    const purgedAt = new Map<string, string>();
    for (const some of chunksOf([...keys], { itemsMax: KEYS_AT_ONCE })) {
      const { rows } = await sql.run<{ key: string; at: Date }>(
        // A key belongs to one workspace, because it is derived from the workspace too.
        `SELECT user_key AS key, max(purged_at) AS at FROM purged_users WHERE user_key = ANY($1::text[]) GROUP BY user_key`,
        [some],
      );
      for (const row of rows) purgedAt.set(row.key, row.at.toISOString());
    }
    return purgedAt;
  }

  private keysOf(event: JsonObject, { workspaceId }: IncomingBatch): string[] {
    return matchIdsOf(event).flatMap((id) => this.keys.userKeys(workspaceId, id));
  }
}
