import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type LiveOutcome, liveOutcomesSubject, type LiveOutcomes as Told } from '@weir/contracts';
import { NATS, Periodic } from '@weir/messaging';
import { type DeliveryUnit, eventNamesOf, originalOf } from '../units/delivery-unit.js';

const FLUSH_MS = 250;
/** Outcomes per workspace and interval. Enough to watch, and cheap for a busy destination. */
const SHOWN_MAX = 25;
const REASON_LENGTH_MAX = 500;

/** Publishes delivery outcomes for live views, and samples them if there are many. */
@Injectable()
export class LiveOutcomes implements OnApplicationBootstrap, OnModuleDestroy {
  private waiting = new Map<string, Told>();
  private readonly flushes = new Periodic({
    task: 'show outcomes in live views',
    everyMs: FLUSH_MS,
    run: () => this.flush(),
    log: new Logger(LiveOutcomes.name),
    runsAtStop: true,
  });

  constructor(@Inject(NATS) private readonly nats: NatsConnection) {}

  onApplicationBootstrap(): void {
    this.flushes.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.flushes.stop();
  }

  tell(unit: DeliveryUnit, outcome: LiveOutcome['outcome'], details: Partial<LiveOutcome> = {}): void {
    const { workspaceId, destinationId, sourceId } = unit.part;
    const told = this.waiting.get(workspaceId) ?? { outcomes: [], skipped: 0 };
    this.waiting.set(workspaceId, told);
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

  private flush(): void {
    const told = this.waiting;
    this.waiting = new Map();
    if (this.nats.isClosed()) return;
    for (const [workspaceId, outcomes] of told) {
      this.nats.publish(liveOutcomesSubject(workspaceId), JSON.stringify(outcomes));
    }
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
