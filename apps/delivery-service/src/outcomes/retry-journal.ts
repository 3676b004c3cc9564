import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { partitionOfBatch, storableText } from '@weir/contracts';
import { Periodic, removeRows } from '@weir/messaging';
import { Database } from '@weir/service-kit';
import { type DeliveryUnit, eventKeyOf, eventNamesOf, originalOf } from '../units/delivery-unit.js';

const FLUSH_MS = 1_000;
/** Events listed per destination. Further ones appear only in the counts. */
const SHOWN_MAX = 1_000;
/** Longer than any wait for a next attempt. */
const LEFT_OVER = '2 days';

export interface FailedAttempt {
  attempts: number;
  reason: string;
  status?: number | undefined;
  nextAttemptAt: Date;
}

/** Lists the deliveries that wait for a retry. The list is only evidence and never delays a delivery. */
@Injectable()
export class RetryJournal implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(RetryJournal.name);
  /** Listed event keys with their partition, saved or about to be saved, by destination. */
  private readonly shown = new Map<string, Map<string, number>>();
  private changed = new Map<string, { unit: DeliveryUnit; failed: FailedAttempt; at: Date }>();
  private settled: string[] = [];
  private readonly flushes = new Periodic({
    task: 'list deliveries that wait for a retry',
    everyMs: FLUSH_MS,
    run: () => this.flush(),
    log: this.logger,
    runsAtStop: true,
  });

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.flushes.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.flushes.stop();
  }

  /**
   * Forgets a partition before it gets a new owner, which clears its list. What this process wrote later would be listed until it is
   * too old, because nobody would tell that the event has ended.
   */
  async release(partition: number): Promise<void> {
    await this.flushes.run();
    this.forget(partition);
  }

  /** Clears the list of a partition when it gets a new owner, which starts over. */
  async clear(partition: number): Promise<void> {
    this.forget(partition);
    await removeRows(this.database, 'retrying_deliveries', 'partition = $1 OR partition IS NULL', [partition]).catch(
      (error: Error) => this.logger.warn(`cannot remove finished retries from the list: ${error.message}`),
    );
  }

  /**
   * Removes rows that a killed process left for a destination that is gone. Reads the whole table once an hour, because an index on the
   * time would double what each retry costs.
   */
  async removeOld(): Promise<void> {
    await removeRows(this.database, 'retrying_deliveries', `last_attempt_at < now() - interval '${LEFT_OVER}'`);
  }

  failed(unit: DeliveryUnit, failed: FailedAttempt): void {
    const { destinationId } = unit.part;
    const names = this.shown.get(destinationId) ?? new Map<string, number>();
    const name = eventKeyOf(unit.part, unit.index, unit.output);
    if (!names.has(name) && names.size >= SHOWN_MAX) return;
    this.shown.set(destinationId, names.set(name, partitionOfBatch(unit.part)));
    this.changed.set(`${destinationId}/${name}`, { unit, failed, at: new Date() });
  }

  /** Removes a finished event from the list. */
  ended({ part, index, output }: DeliveryUnit): void {
    const name = eventKeyOf(part, index, output);
    if (!this.shown.get(part.destinationId)?.delete(name)) return;
    const key = `${part.destinationId}/${name}`;
    this.changed.delete(key);
    this.settled.push(key);
  }

  private forget(partition: number): void {
    for (const [destinationId, names] of this.shown) {
      for (const [name, of] of names) {
        if (of !== partition) continue;
        names.delete(name);
        this.changed.delete(`${destinationId}/${name}`);
      }
      if (names.size === 0) this.shown.delete(destinationId);
    }
  }

  private async flush(): Promise<void> {
    const { changed, settled } = this;
    this.changed = new Map();
    this.settled = [];
    const rows = [...changed.values()].map(rowOf);
    try {
      if (rows.length > 0) await this.database.run(UPSERT_SQL, [JSON.stringify(rows)]);
      if (settled.length > 0) await this.database.run(DELETE_SQL, [settled]);
    } catch (error) {
      this.restore(changed, settled);
      throw error;
    }
  }

  /** Takes back what was not saved, unless it has changed again or ended meanwhile. */
  private restore(changed: typeof this.changed, settled: readonly string[]): void {
    const ended = new Set(this.settled);
    this.settled.push(...settled);
    for (const [key, change] of changed) if (!ended.has(key) && !this.changed.has(key)) this.changed.set(key, change);
  }
}

const UPSERT_SQL = `
  INSERT INTO retrying_deliveries (workspace_id, destination_id, source_id, event_key, message_id, event_type, event_name,
                                   reason, status, attempts, received_at, last_attempt_at, next_attempt_at, partition)
  SELECT "workspaceId", "destinationId", "sourceId", "eventKey", "messageId", "eventType", "eventName", reason, status,
         attempts, "receivedAt", "lastAttemptAt", "nextAttemptAt", partition
  FROM json_to_recordset($1) AS retry ("workspaceId" text, "destinationId" text, "sourceId" text, "eventKey" text,
         "messageId" text, "eventType" text, "eventName" text, reason text, status integer, attempts integer,
         "receivedAt" timestamptz, "lastAttemptAt" timestamptz, "nextAttemptAt" timestamptz, partition integer)
  ON CONFLICT (destination_id, event_key) DO UPDATE
  SET reason = EXCLUDED.reason, status = EXCLUDED.status, attempts = EXCLUDED.attempts,
      last_attempt_at = EXCLUDED.last_attempt_at, next_attempt_at = EXCLUDED.next_attempt_at`;
const DELETE_SQL = `DELETE FROM retrying_deliveries WHERE (destination_id, event_key) IN (SELECT split_part(key, '/', 1), substr(key, strpos(key, '/') + 1) FROM unnest($1::text[]) AS key)`;

function rowOf({ unit, failed, at }: { unit: DeliveryUnit; failed: FailedAttempt; at: Date }) {
  const { workspaceId, destinationId, sourceId, receivedAt } = unit.part;
  const event = originalOf(unit);
  return {
    ...{ workspaceId, destinationId, sourceId, receivedAt },
    eventKey: eventKeyOf(unit.part, unit.index, unit.output),
    ...eventNamesOf(event),
    reason: storableText(failed.reason),
    status: failed.status ?? null,
    attempts: failed.attempts,
    lastAttemptAt: at.toISOString(),
    nextAttemptAt: failed.nextAttemptAt.toISOString(),
    partition: partitionOfBatch(unit.part),
  };
}
