import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { DELIVERY_TIMEOUT_MS, type EventBatch } from '@weir/contracts';
import { isBatch, readBatch, Slices, type StreamMessage } from '@weir/messaging';
import { Database, Metrics } from '@weir/service-kit';
import { PurgeFence } from '../checks/purge-fence.js';
import { matchKeysOf } from '../units/match-keys.js';
import { AllowedEvents } from './allowed-events.js';
import { ArchiveStore } from './archive-store.js';
import { type ArchivedEvent, lineOf } from './archived-event.js';
import { hourOf, nameOfSegment } from './segment-name.js';
import type { Shelf } from './shelves.js';

const compressed = promisify(gzip);
const DIGEST_CHARS = 16;

/** Where messages come from. */
export interface Origin {
  partition: number;
  /** When the stream was created, in milliseconds. */
  stream: number;
}

/** Stores accepted events as gzipped JSON Lines. */
@Injectable()
export class SegmentWriter {
  private readonly stored;

  constructor(
    private readonly store: ArchiveStore,
    private readonly allowed: AllowedEvents,
    private readonly fence: PurgeFence,
    private readonly database: Database,
    metrics: Metrics,
  ) {
    this.stored = metrics.counter({ name: 'weir_archived_events_total', help: 'Events that the archive has stored' });
  }

  /**
   * Stores messages of one shelf, in segments by the hour of their intake. The same messages make the same segments. The check of
   * the users and the request end within the time of a delivery. A purge of the archive begins after this time, so it finds whatever
   * was checked before it was asked for.
   */
  async write(origin: Origin, { workspaceId, shelf, messages }: Shelf): Promise<void> {
    const byHour = Map.groupBy(await eventsOf(messages), ({ receivedAt }) => hourOf(receivedAt));
    for (const [hour, events] of byHour) {
      const signal = AbortSignal.timeout(DELIVERY_TIMEOUT_MS);
      const kept = await this.unpurged(workspaceId, await this.allowed.of(workspaceId, events));
      if (kept.length === 0) continue;
      const range = { first: events[0]?.sequence ?? 0, last: events.at(-1)?.sequence ?? 0, digest: digestOf(events) };
      const name = nameOfSegment({ workspaceId, shelf, hour, ...origin, ...range });
      const body = await compressed(await textOf(kept));
      signal.throwIfAborted();
      await this.store.bucket.put(name, body, signal);
      this.stored.inc(kept.length);
    }
  }

  /** Leaves out the events of users who were purged after the intake, whichever of their identifiers an event has. */
  private async unpurged(workspaceId: string, events: readonly ArchivedEvent[]): Promise<ArchivedEvent[]> {
    const fenced = events.map((archived) => ({
      ...{ archived, workspaceId, receivedAt: archived.receivedAt },
      matchKeys: () => matchKeysOf(archived.event),
    }));
    const purged = await this.database.transaction((sql) => this.fence.purged(sql, fenced));
    return fenced.filter((one) => !purged.has(one)).map(({ archived }) => archived);
  }
}

/** In stream order. What is not a batch is left out, because the collector keeps it as a dead letter. */
async function eventsOf(messages: readonly StreamMessage[]): Promise<ArchivedEvent[]> {
  const slices = new Slices();
  const events: ArchivedEvent[] = [];
  for (const message of messages.toSorted((a, b) => a.sequence - b.sequence || a.position - b.position)) {
    if (slices.isOver) await slices.next();
    const batch = readBatch(message);
    if (isBatch(batch) && !Number.isNaN(Date.parse(batch.receivedAt))) events.push(...archivedOf(message, batch));
  }
  return events;
}

const archivedOf = ({ sequence, position }: StreamMessage, { sourceId, batchId, receivedAt, events }: EventBatch) =>
  events.map((event, index): ArchivedEvent => ({ sequence, position, index, sourceId, batchId, receivedAt, event }));

async function textOf(events: readonly ArchivedEvent[]): Promise<string> {
  const slices = new Slices();
  let text = '';
  for (const event of events) {
    if (slices.isOver) await slices.next();
    text += lineOf(event);
  }
  return text;
}

function digestOf(events: readonly ArchivedEvent[]): string {
  const hash = createHash('sha256');
  for (const { sequence, position, batchId } of events) hash.update(`${sequence}.${position}.${batchId}\n`);
  return hash.digest('hex').slice(0, DIGEST_CHARS);
}
