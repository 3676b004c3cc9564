import { Injectable } from '@nestjs/common';
import { Metrics } from '@weir/service-kit';
import type { DeliveryOutcome, DeliveryUnit, DestinationRef } from '../units/delivery-unit.js';
import { bucketOf, DeliveryCounts, latencyName } from './delivery-counts.js';
import { OutcomeBroadcast } from './outcome-broadcast.js';
import { type FailedAttempt, RetryJournal } from './retry-journal.js';

@Injectable()
export class DeliveryMetrics {
  private readonly outcomes;
  private readonly latency;

  constructor(metrics: Metrics) {
    this.outcomes = metrics.counter({
      name: 'weir_deliveries_total',
      help: 'Events that were handled for a destination, by outcome',
      labelNames: ['outcome'],
      zeros: [{ outcome: 'delivered' }, { outcome: 'failed' }, { outcome: 'dead' }],
    });
    this.latency = metrics.histogram({
      name: 'weir_delivery_seconds',
      help: 'Time from the intake of an event to the answer of its destination',
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 30, 300],
    });
  }

  count(outcome: DeliveryOutcome, events = 1): void {
    this.outcomes.inc({ outcome }, events);
  }

  /** Records the time since the intake. */
  took(milliseconds: number): void {
    this.latency.observe(Math.max(0, milliseconds) / 1_000);
  }
}

/** Outcomes that live views may show. They never include suppressed users. */
const SHOWN = ['delivered', 'dead', 'dropped_by_code', 'filtered'] as const;
const isShown = (outcome: DeliveryOutcome): outcome is (typeof SHOWN)[number] => SHOWN.some((one) => one === outcome);

/** Reports every delivery outcome to metrics, counters, live views and the list of retries. */
@Injectable()
export class Outcomes {
  constructor(
    private readonly metrics: DeliveryMetrics,
    private readonly counts: DeliveryCounts,
    private readonly retries: RetryJournal,
    private readonly live: OutcomeBroadcast,
  ) {}

  /** Clears the list of retries when a partition gets a new owner. */
  began(partition: number): Promise<void> {
    return this.retries.clear(partition);
  }

  /** Writes nothing more of a partition. Call it before another process may take it, when no event of it is under way. */
  released(partition: number): Promise<void> {
    return this.retries.release(partition);
  }

  count(owner: DestinationRef, outcome: DeliveryOutcome, events = 1): void {
    this.metrics.count(outcome, events);
    if (outcome !== 'dead') this.counts.add(owner, outcome, events); // dead letters are counted where they are written
  }

  /** Counts an event beside its outcome, because a destination may fail for other reasons than the user code. */
  codeFailed(owner: DestinationRef): void {
    this.counts.add(owner, 'failed_in_code', 1);
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
