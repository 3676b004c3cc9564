import { Injectable } from '@nestjs/common';
import { Metrics } from '@weir/service-kit';

/** Counts failed trials by outcome. */
@Injectable()
export class TrialMetrics {
  private readonly failed;

  constructor(metrics: Metrics) {
    this.failed = metrics.counter({
      name: 'registry_failed_versions_total',
      help: 'New versions that failed on too many of their first events: rolledBack, or kept for a reason',
      labelNames: ['outcome'],
    });
  }

  count(outcome: 'rolledBack' | 'kept'): void {
    this.failed.inc({ outcome });
  }
}
