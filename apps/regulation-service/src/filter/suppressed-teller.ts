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
import { NATS, Periodic } from '@weir/messaging';

const FLUSH_MS = 250;
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
  private waiting = new Map<string, Waiting>();
  private readonly flushes = new Periodic({
    task: 'tell what was suppressed',
    everyMs: FLUSH_MS,
    run: () => this.flush(),
    log: new Logger(SuppressedTeller.name),
    runsAtStop: true,
  });

  constructor(@Inject(NATS) private readonly nats: NatsConnection) {}

  onApplicationBootstrap(): void {
    this.flushes.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.flushes.stop();
  }

  tell({ workspaceId, sourceId, receivedAt }: EventBatch, stopped: readonly JsonObject[]): void {
    if (stopped.length === 0) return;
    const waiting: Waiting = this.waiting.get(workspaceId) ?? { counts: new Map(), events: [] };
    this.waiting.set(workspaceId, waiting);
    const { counts, events } = waiting;
    counts.set(sourceId, (counts.get(sourceId) ?? 0) + stopped.length);
    for (const { messageId, type } of stopped.slice(0, LISTED_MAX - events.length))
      events.push({ sourceId, receivedAt, ...textAs('messageId', messageId), ...textAs('type', type) });
  }

  private flush(): void {
    const told = this.waiting;
    this.waiting = new Map();
    if (this.nats.isClosed()) return;
    for (const [workspaceId, { counts, events }] of told) {
      const bySource = [...counts].map(([sourceId, events]) => ({ sourceId, events }));
      const message: SuppressedEvents = { workspaceId, counts: bySource, events };
      this.nats.publish(suppressedEventsSubject(workspaceId), JSON.stringify(message));
    }
  }
}

const textAs = (key: string, value: unknown) =>
  typeof value === 'string' ? { [key]: storableText(value.slice(0, TEXT_LENGTH_MAX)) } : {};
