import { Injectable } from '@nestjs/common';
import type { DeletionStatus } from '@weir/contracts';
import { Metrics } from '@weir/service-kit';

@Injectable()
export class EraserMetrics {
  private readonly attempts;

  constructor(metrics: Metrics) {
    this.attempts = metrics.counter({
      name: 'regulation_deletion_attempts_total',
      help: 'Attempts at deletion tasks by the status that the task had afterwards',
      labelNames: ['status'],
    });
  }

  count(status: DeletionStatus): void {
    this.attempts.inc({ status });
  }
}
