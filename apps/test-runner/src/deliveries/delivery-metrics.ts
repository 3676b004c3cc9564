import { Injectable } from '@nestjs/common';
import { Metrics } from '@weir/service-kit';

/**
 * The outcomes of an event for a destination:
 * - `accepted`: stored in the destination's queue
 * - `transformed`: returned by user code, counted per returned event
 * - `delivered`: the destination took it
 * - `failed`: an attempt failed, counted per attempt
 * - `dead`: became a dead letter
 * - `suppressed`: its user is suppressed
 * - `dropped_by_code`: user code dropped it
 * - `filtered`: the destination kind does not want it
 * - `dropped`: the destination is disabled or gone
 */
export type DeliveryOutcome =
  | 'accepted'
  | 'transformed'
  | 'delivered'
  | 'failed'
  | 'dead'
  | 'suppressed'
  | 'dropped_by_code'
  | 'filtered'
  | 'dropped';

@Injectable()
export class DeliveryMetrics {
  private readonly outcomes;
  private readonly latency;

  constructor(metrics: Metrics) {
    this.outcomes = metrics.counter({
      name: 'weir_deliveries_total',
      help: 'Events for destinations by what became of them',
      labelNames: ['outcome'],
    });
    this.latency = metrics.histogram({
      name: 'weir_delivery_seconds',
      help: 'From the intake of an event to the answer of its destination',
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
