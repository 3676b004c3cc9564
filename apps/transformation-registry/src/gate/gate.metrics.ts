import { Injectable } from '@nestjs/common';
import { Metrics } from '@weir/service-kit';

/** Counts writes of code by how they end. */
@Injectable()
export class GateMetrics {
  private readonly outcomes;

  constructor(metrics: Metrics) {
    this.outcomes = metrics.counter({
      name: 'registry_gate_total',
      help: 'Writes of code by how they ended: passed (drafts too), tests_failed or conflict',
      labelNames: ['outcome'],
    });
  }

  count(outcome: 'passed' | 'tests_failed' | 'conflict'): void {
    this.outcomes.inc({ outcome });
  }
}
