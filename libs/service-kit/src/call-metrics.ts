import type { CallObserver, CallOutcome } from '@weir/messaging';
import { Metrics } from './metrics.js';

/** In seconds, up to the longest deadline of a call. */
const BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Measures rate, errors and duration of the calls that this process answers, and outcomes of the calls that it makes, by subject.
 */
export class CallMetrics implements CallObserver {
  private readonly duration;
  private readonly requests;

  constructor(metrics: Metrics) {
    this.duration = metrics.histogram({
      name: 'weir_call_duration_seconds',
      help: 'Calls that this process answered, by subject and code: ok, or that of the error',
      labelNames: ['subject', 'code'],
      buckets: BUCKETS,
    });
    this.requests = metrics.counter({
      name: 'weir_calls_sent_total',
      help: 'Calls that this process made, by subject and code: ok, or that of the error, timeouts included',
      labelNames: ['subject', 'code'],
    });
  }

  answered(subject: string, code: CallOutcome, seconds: number): void {
    this.duration.observe({ subject, code }, seconds);
  }

  asked(subject: string, code: CallOutcome): void {
    this.requests.inc({ subject, code });
  }
}
