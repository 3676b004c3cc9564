import {
  Counter,
  type CounterConfiguration,
  collectDefaultMetrics,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type HistogramConfiguration,
  Registry,
} from '@prometheus-io/client';

/** Metrics of this process. Labels are routes, subjects and codes, never a user, an address or an event name. */
export class Metrics {
  private readonly registry = new Registry();

  constructor(process: string) {
    this.registry.setDefaultLabels({ service: process });
    collectDefaultMetrics({ register: this.registry });
  }

  counter<L extends string>(options: CounterConfiguration<L>): Counter<L> {
    return new Counter({ ...options, registers: [this.registry] });
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

  /** Prometheus text format. */
  text(): Promise<string> {
    return this.registry.metrics();
  }
}
