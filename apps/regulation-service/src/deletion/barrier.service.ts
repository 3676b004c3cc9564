import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable } from '@nestjs/common';
import { BATCH_WAIT_MS_MAX, CheckSuppression, DELIVERY_TIMEOUT_MS } from '@weir/contracts';
import { NATS } from '@weir/messaging';
import { DataSource } from 'typeorm';
import { lockOpenBarriers, noteStep } from './barrier.repository.js';
import { nextStep } from './barrier.rules.js';
import { readPositions } from './stream-positions.js';

/** Longest time from the check before an event's delivery to the end of that delivery. */
export const SEND_DEADLINE_MS = CheckSuppression.deadlineMs + BATCH_WAIT_MS_MAX + DELIVERY_TIMEOUT_MS;

/** Holds deletions back until no earlier event can reach a destination. */
@Injectable()
export class BarrierService {
  /** Shorter in tests. */
  sendDeadlineMs = SEND_DEADLINE_MS;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(NATS) private readonly nats: NatsConnection,
  ) {}

  /** Advances every open barrier by at most one step, and returns how many are still open. */
  advance(): Promise<number> {
    return this.dataSource.transaction(async (sql) => {
      const barriers = await lockOpenBarriers(sql);
      if (barriers.length === 0) return 0;
      const { raw, accepted } = await readPositions(this.nats);
      let open = 0;
      for (const barrier of barriers) {
        const step = nextStep(barrier, raw, accepted, this.sendDeadlineMs);
        if (step !== 'wait') await noteStep(sql, barrier.id, step);
        if (step !== 'passed') open += 1;
      }
      return open;
    });
  }
}
