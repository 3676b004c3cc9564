import { Injectable } from '@nestjs/common';
import { latencyName } from '../outcomes/counters.js';
import { DeliveryCounts } from '../outcomes/delivery-counts.js';
import { bucketOf } from '../outcomes/latency-buckets.js';
import { LiveOutcomes } from '../outcomes/live-outcomes.js';
import { type FailedAttempt, RetryJournal } from '../outcomes/retry-journal.js';
import { DeliveryMetrics, type DeliveryOutcome } from './delivery-metrics.js';
import type { DeliveryOwnerIds, DeliveryUnit } from './delivery-unit.js';

/** Outcomes that live views may show. They never include suppressed users. */
const SHOWN = ['delivered', 'dead', 'dropped_by_code', 'filtered'] as const;
const isShown = (outcome: DeliveryOutcome): outcome is (typeof SHOWN)[number] => SHOWN.some((one) => one === outcome);

/** Reports every delivery outcome to metrics, counters, live views and the list of retries. */
@Injectable()
export class DeliveryOutcomes {
  constructor(
    private readonly metrics: DeliveryMetrics,
    private readonly counts: DeliveryCounts,
    private readonly retries: RetryJournal,
    private readonly live: LiveOutcomes,
  ) {}

  start(): void {
    this.counts.start();
    this.retries.start();
    this.live.start();
  }

  async stop(): Promise<void> {
    this.live.stop();
    await Promise.all([this.counts.stop(), this.retries.stop()]);
  }

  /** Clears the list of retries when a destination gets a new owner. */
  began(destinationId: string): Promise<void> {
    return this.retries.clear(destinationId);
  }

  count(owner: DeliveryOwnerIds, outcome: DeliveryOutcome, events = 1): void {
    this.metrics.count(outcome, events);
    this.counts.add(owner, outcome, events);
  }

  /** Records a failed attempt. `nextAttemptAt` is missing if it was the last. */
  failed(unit: DeliveryUnit, failed: Omit<FailedAttempt, 'nextAttemptAt'> & { nextAttemptAt?: Date }): void {
    this.count(unit.part, 'failed');
    const { nextAttemptAt, attempts, reason, status } = failed;
    // without an answer, a suppressed user cannot be ruled out
    if (status !== undefined) this.live.tell(unit, 'failed', { attempts, reason, responseStatus: status });
    if (nextAttemptAt) this.retries.failed(unit, { ...failed, nextAttemptAt });
  }

  /** Records the final outcome of an event. */
  ended(unit: DeliveryUnit, outcome: DeliveryOutcome, reason?: string): void {
    this.count(unit.part, outcome);
    this.retries.ended(unit);
    if (isShown(outcome)) this.live.tell(unit, outcome, reason === undefined ? {} : { reason });
    if (outcome !== 'delivered') return;
    const milliseconds = Date.now() - Date.parse(unit.part.receivedAt);
    this.metrics.took(milliseconds);
    this.counts.add(unit.part, latencyName(bucketOf(milliseconds)), 1);
  }
}
