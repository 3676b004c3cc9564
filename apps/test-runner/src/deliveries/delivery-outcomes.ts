import { Injectable } from '@nestjs/common';
import { latencyName } from '../outcomes/counters.js';
import { DeliveryCounts } from '../outcomes/delivery-counts.js';
import { bucketOf } from '../outcomes/latency-buckets.js';
import { type FailedAttempt, RetryJournal } from '../outcomes/retry-journal.js';
import { DeliveryMetrics, type DeliveryOutcome } from './delivery-metrics.js';
import type { DeliveryUnit, DestinationPart } from './delivery-unit.js';

/** Whose events they are, and where they go. */
export type DeliveryOwnerIds = Pick<DestinationPart, 'workspaceId' | 'destinationId'>;

/** Where the outcome of every delivery is told: metrics, counters, and the list of what is tried again. */
@Injectable()
export class DeliveryOutcomes {
  constructor(
    private readonly metrics: DeliveryMetrics,
    private readonly counts: DeliveryCounts,
    private readonly retries: RetryJournal,
  ) {}

  start(): void {
    this.counts.start();
    this.retries.start();
  }

  async stop(): Promise<void> {
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
    const { nextAttemptAt } = failed;
    if (nextAttemptAt) this.retries.failed(unit, { ...failed, nextAttemptAt });
  }

  /** Nothing is left to do for the event. */
  ended(unit: DeliveryUnit, outcome: DeliveryOutcome): void {
    this.count(unit.part, outcome);
    this.retries.ended(unit);
    if (outcome !== 'delivered') return;
    const milliseconds = Date.now() - Date.parse(unit.part.receivedAt);
    this.metrics.took(milliseconds);
    this.counts.add(unit.part, latencyName(bucketOf(milliseconds)), 1);
  }
}
