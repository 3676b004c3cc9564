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

/** Events listed per workspace and interval. Further ones are only counted, so a message stays far below its limit. */
export const LISTED_MAX = 500;
const TEXT_LENGTH_MAX = 256;

interface Waiting {
  counts: Map<string, number>;
  events: SuppressedEvent[];
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
      empty: () => ({ counts: new Map(), events: [] }),
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
    const { counts, events } = this.news.of(workspaceId);
    counts.set(sourceId, (counts.get(sourceId) ?? 0) + stopped.length);
    for (const { messageId, type } of stopped.slice(0, LISTED_MAX - events.length))
      events.push({ sourceId, receivedAt, ...textAs('messageId', messageId), ...textAs('type', type) });
  }
}

const textAs = (key: string, value: unknown) =>
  typeof value === 'string' ? { [key]: storableText(value.slice(0, TEXT_LENGTH_MAX)) } : {};
