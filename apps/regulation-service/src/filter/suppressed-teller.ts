import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import {
  type EventBatch,
  type JsonObject,
  type SuppressedEvent,
  type SuppressedEvents,
  storableText,
  suppressedEventsSubject,
} from '@weir/contracts';
import { LiveNews, NATS } from '@weir/messaging';

/** Events listed per workspace and interval, and their bytes. Further ones are only counted, so a message stays below its limit. */
export const LISTED_MAX = 500;
export const LISTED_BYTES_MAX = 262_144;
const TEXT_LENGTH_MAX = 256;

interface Waiting {
  counts: Map<string, number>;
  events: SuppressedEvent[];
  /** Bytes of the events as JSON. */
  bytes: number;
}

/** Tells live views, counters and traces which events the filter stopped. Names no user. Nothing waits for it. */
@Injectable()
export class SuppressedTeller implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly news: LiveNews<Waiting>;

  constructor(@Inject(NATS) nats: NatsConnection) {
    this.news = new LiveNews<Waiting>({
      nats,
      task: 'tell what was suppressed',
      log: new Logger(SuppressedTeller.name),
      empty: () => ({ counts: new Map(), events: [], bytes: 0 }),
      subject: suppressedEventsSubject,
      message: ({ counts, events }, workspaceId): SuppressedEvents => ({
        ...{ workspaceId, events },
        counts: [...counts].map(([sourceId, events]) => ({ sourceId, events })),
      }),
    });
  }

  onApplicationBootstrap(): void {
    this.news.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.news.stop();
  }

  tell({ workspaceId, sourceId, receivedAt }: EventBatch, stopped: readonly JsonObject[]): void {
    if (stopped.length === 0) return;
    const told = this.news.of(workspaceId);
    told.counts.set(sourceId, (told.counts.get(sourceId) ?? 0) + stopped.length);
    for (const { messageId, type } of stopped) {
      if (told.events.length >= LISTED_MAX || told.bytes >= LISTED_BYTES_MAX) return;
      const event = { sourceId, receivedAt, ...textAs('messageId', messageId), ...textAs('type', type) };
      told.bytes += Buffer.byteLength(JSON.stringify(event));
      told.events.push(event);
    }
  }
}

const textAs = (key: string, value: unknown) =>
  typeof value === 'string' ? { [key]: storableText(value.slice(0, TEXT_LENGTH_MAX)) } : {};
