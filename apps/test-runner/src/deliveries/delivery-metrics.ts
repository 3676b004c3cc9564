import { Injectable } from '@nestjs/common';
import { Metrics } from '@weir/service-kit';

/**
 * What became of an event for a destination: `accepted` into its queue; `transformed` by user code (each event that came
 * out); `delivered`; `failed` (one count each attempt that failed); `dead`; `suppressed`; `dropped_by_code`;
 * `filtered` by the kind; `dropped`, because the destination is disabled or gone.
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

  /** From the intake on. */
  took(milliseconds: number): void {
    this.latency.observe(Math.max(0, milliseconds) / 1_000);
  }
}
