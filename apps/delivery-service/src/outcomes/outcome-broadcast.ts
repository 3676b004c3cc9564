import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type LiveOutcome, type LiveOutcomes, liveOutcomesSubject } from '@weir/contracts';
import { LiveNews, NATS } from '@weir/messaging';
import { type DeliveryUnit, eventNamesOf, originalOf } from '../units/delivery-unit.js';

/** Outcomes per workspace and interval. Enough to watch, and cheap for a busy destination. */
const SHOWN_MAX = 25;
const REASON_LENGTH_MAX = 500;

/** Publishes delivery outcomes for live views, and samples them if there are many. */
@Injectable()
export class OutcomeBroadcast implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly news: LiveNews<LiveOutcomes>;

  constructor(@Inject(NATS) nats: NatsConnection) {
    this.news = new LiveNews<LiveOutcomes>({
      nats,
      task: 'show outcomes in live views',
      log: new Logger(OutcomeBroadcast.name),
      empty: () => ({ outcomes: [], skipped: 0 }),
      subject: liveOutcomesSubject,
    });
  }

  onApplicationBootstrap(): void {
    this.news.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.news.stop();
  }

  tell(unit: DeliveryUnit, outcome: LiveOutcome['outcome'], details: Partial<LiveOutcome> = {}): void {
    const { workspaceId, destinationId, sourceId } = unit.part;
    const told = this.news.of(workspaceId);
    if (told.outcomes.length >= SHOWN_MAX) {
      told.skipped += 1;
      return;
    }
    const { reason, ...rest } = details;
    told.outcomes.push({
      at: new Date().toISOString(),
      ...{ destinationId, sourceId, outcome },
      ...namesOf(unit),
      ...rest,
      ...(reason !== undefined && { reason: reason.slice(0, REASON_LENGTH_MAX) }),
    });
  }
}

function namesOf(unit: DeliveryUnit): Pick<LiveOutcome, 'messageId' | 'type' | 'name'> {
  const { messageId, eventType: type, eventName: name } = eventNamesOf(originalOf(unit));
  return {
    ...(messageId !== null && { messageId }),
    ...(type !== null && { type }),
    ...(name !== null && { name }),
  };
}
