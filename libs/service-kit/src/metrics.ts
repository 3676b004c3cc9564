import {
  Counter,
  type CounterConfiguration,
  collectDefaultMetrics,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type HistogramConfiguration,
  type MetricValue,
  Registry,
} from '@prometheus-io/client';
import { type CallObserver, type CallOutcome, periodicFailures, Slices } from '@weir/messaging';

type CounterOptions<L extends string> = CounterConfiguration<L> & { zeros?: readonly MetricValue<L>['labels'][] };

/** Metrics of this process. Labels are routes, subjects and codes, never a user, an address or an event name. */
export class Metrics {
  private readonly registry = new Registry();

  constructor(process: string) {
    this.registry.setDefaultLabels({ service: process });
    collectDefaultMetrics({ register: this.registry });
    this.gauge({
      name: 'weir_clock_seconds',
      help: 'Unix time of this process. The difference from the time of the scrape is the clock skew',
      collect() {
        this.set(Date.now() / 1_000);
      },
    });
    this.counter({
      name: 'weir_periodic_failures_total',
      help: 'Failed turns of work that this process repeats at an interval, by task. The next turn tries again',
      labelNames: ['task'],
      collect() {
        this.reset();
        for (const [task, failures] of periodicFailures()) this.inc({ task }, failures);
      },
    });
  }

  /** `zeros` are the series that an alert waits for. Prometheus counts the growth of a series from its first value, so it has to be there at 0. */
  counter<L extends string>({ zeros = [], ...options }: CounterOptions<L>): Counter<L> {
    const counter = new Counter({ ...options, registers: [this.registry] });
    for (const labels of zeros) counter.inc(labels, 0);
    return counter;
  }

  gauge<L extends string>(options: GaugeConfiguration<L>): Gauge<L> {
    return new Gauge({ ...options, registers: [this.registry] });
  }

  histogram<L extends string>(options: HistogramConfiguration<L>): Histogram<L> {
    return new Histogram({ ...options, registers: [this.registry] });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** Prometheus text format. Made in slices, because all metrics together can take tens of milliseconds. */
  async text(): Promise<string> {
    const texts: string[] = [];
    const slices = new Slices();
    for (const { name } of this.registry.getMetricsAsArray()) {
      if (slices.isOver) await slices.next();
      texts.push(await this.registry.getSingleMetricAsString(name));
    }
    return `${texts.join('\n\n')}\n`;
  }
}

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
      help: 'Calls that this process answered, by subject and code: ok, or the error code',
      labelNames: ['subject', 'code'],
      buckets: BUCKETS,
    });
    this.requests = metrics.counter({
      name: 'weir_calls_sent_total',
      help: 'Calls that this process made, by subject and code: ok, or the error code, including timeouts',
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
