import { Injectable } from '@nestjs/common';
import { Metrics } from '@weir/service-kit';

/** Counts events by outcome. Their sum is the number of incoming events. */
@Injectable()
export class FilterMetrics {
  private readonly events;
  private readonly unreadable;

  constructor(metrics: Metrics) {
    this.events = metrics.counter({
      name: 'regulation_filter_events_total',
      help: 'Events that the filter took from the stream, by what became of them: passed or suppressed',
      labelNames: ['outcome'],
    });
    this.unreadable = metrics.counter({
      name: 'regulation_filter_dead_letters_total',
      help: 'Messages that are no batch of events',
    });
  }

  count({ passed, suppressed }: { passed: number; suppressed: number }): void {
    this.events.inc({ outcome: 'passed' }, passed);
    this.events.inc({ outcome: 'suppressed' }, suppressed);
  }

  countUnreadable(): void {
    this.unreadable.inc();
  }
}
