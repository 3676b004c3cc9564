import { Injectable } from '@nestjs/common';
import { Metrics } from '@weir/service-kit';
import type { Flushed } from './flush.service.js';

@Injectable()
export class CollectorMetrics {
  private readonly events;
  private readonly skipped;
  private readonly duplicates;
  private readonly deadLetters;
  private readonly flushSeconds;

  constructor(metrics: Metrics) {
    this.events = metrics.counter({ name: 'schema_events_total', help: 'Events of applied batches' });
    this.skipped = metrics.counter({
      name: 'schema_events_skipped_total',
      help: 'Events that belong to no model, by reason',
      labelNames: ['reason'],
    });
    this.duplicates = metrics.counter({
      name: 'schema_batches_duplicate_total',
      help: 'Batches that arrived again after they were applied',
    });
    this.deadLetters = metrics.counter({
      name: 'schema_dead_letters_total',
      help: 'Messages that can never be counted',
    });
    this.flushSeconds = metrics.histogram({
      name: 'schema_flush_seconds',
      help: 'Duration of a flush that was committed',
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    });
  }

  /** Call the returned function with the result once the flush is committed. */
  startFlush(): (flushed: Flushed) => void {
    const stop = this.flushSeconds.startTimer();
    return ({ events, duplicates, skipped }) => {
      stop();
      this.events.inc(events);
      this.duplicates.inc(duplicates);
      for (const [reason, count] of skipped) this.skipped.inc({ reason }, count);
    };
  }

  countDeadLetter(): void {
    this.deadLetters.inc();
  }
}
