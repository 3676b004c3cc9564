import { Injectable } from '@nestjs/common';
import { latencyName } from '../outcomes/counters.js';
import { DeliveryCounts } from '../outcomes/delivery-counts.js';
import { bucketOf } from '../outcomes/latency-buckets.js';
import { LiveOutcomes } from '../outcomes/live-outcomes.js';
import { type FailedAttempt, RetryJournal } from '../outcomes/retry-journal.js';
import { DeliveryMetrics, type DeliveryOutcome } from './delivery-metrics.js';
import type { DeliveryOwnerIds, DeliveryUnit } from './delivery-unit.js';

/** Outcomes that people may watch: never those of suppressed users. */
const SHOWN = ['delivered', 'dead', 'dropped_by_code', 'filtered'] as const;
const isShown = (outcome: DeliveryOutcome): outcome is (typeof SHOWN)[number] => SHOWN.some((one) => one === outcome);

/** Where the outcome of every delivery is told: metrics, counters, live views, and the list of what is tried again. */
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

  /** A destination begins with a new owner. */
  began(destinationId: string): Promise<void> {
    return this.retries.clear(destinationId);
  }

  count(owner: DeliveryOwnerIds, outcome: DeliveryOutcome, events = 1): void {
    this.metrics.count(outcome, events);
    this.counts.add(owner, outcome, events);
  }

  /** An attempt failed; with a time for the next one unless it was the last. */
  failed(unit: DeliveryUnit, failed: Omit<FailedAttempt, 'nextAttemptAt'> & { nextAttemptAt?: Date }): void {
    this.count(unit.part, 'failed');
    const { nextAttemptAt, attempts, reason, status } = failed;
    // without an answer it may not even be known whether the user is suppressed
    if (status !== undefined) this.live.tell(unit, 'failed', { attempts, reason, responseStatus: status });
    if (nextAttemptAt) this.retries.failed(unit, { ...failed, nextAttemptAt });
  }

  /** Nothing is left to do for the event. */
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
