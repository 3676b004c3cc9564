import { createRequire } from 'node:module';
import type { NatsConnection } from '@nats-io/transport-node';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { isBrokerReliable, type ProcessName, type ProcessReport, ROLL_CALL_SUBJECT } from '@weir/contracts';
import type { ConsumerLag } from '@weir/messaging';
import type { Health } from './health.js';
import type { Metrics } from './metrics.js';

/** Every project of Weir has the version of the whole. Read at the start, because a bundle of this file stands elsewhere. */
const readVersion = () => (createRequire(import.meta.url)('../package.json') as { version: string }).version;

/** Reports that this process runs: since when, its version, what it lacks, and how many messages wait. Each replica answers. */
export class RollCall implements OnApplicationBootstrap {
  private readonly startedAt = new Date().toISOString();
  private readonly version = readVersion();

  constructor(
    private readonly process: ProcessName,
    private readonly nats: NatsConnection,
    private readonly health: Health,
    private readonly backlog: Backlog,
  ) {}

  onApplicationBootstrap(): void {
    // An error means that the broker does not allow it, as before an upgrade of its users. The process works without.
    this.nats.subscribe(ROLL_CALL_SUBJECT, {
      callback: (error, message) => {
        if (!error) void this.report().then((report) => message.respond(JSON.stringify(report)));
      },
    });
  }

  private async report(): Promise<ProcessReport> {
    const { process, version, startedAt } = this;
    const [health, waiting] = await Promise.all([this.health.report(), this.backlog.waiting()]);
    const time = new Date().toISOString();
    return {
      process,
      version,
      startedAt,
      ...health,
      time,
      ...this.broker(),
      ...(waiting !== undefined && { waiting }),
    };
  }

  /** Asked for each time, because a cluster has several servers, and an upgrade replaces them. */
  private broker(): Pick<ProcessReport, 'broker'> {
    const { info } = this.nats;
    return info ? { broker: { version: info.version, isReliable: isBrokerReliable(info) } } : {};
  }
}

/** The messages that wait for the durable consumers of this process, as a metric and for the roll call. */
export class Backlog {
  private lag: (() => Promise<ConsumerLag[]>) | undefined;

  constructor(private readonly metrics: Metrics) {}

  /** Registers a gauge that is measured on each scrape. Reports nothing while the broker is away. */
  observe(lag: () => Promise<ConsumerLag[]>): void {
    this.lag = lag;
    this.metrics.gauge({
      name: 'weir_consumer_messages',
      help: 'Messages that wait for a durable consumer of this process (pending), or that it is handling (ack_pending)',
      labelNames: ['stream', 'consumer', 'state'],
      async collect() {
        const consumers = await lag().catch(() => []);
        this.reset();
        for (const { stream, consumer, pending, ackPending } of consumers) {
          this.set({ stream, consumer, state: 'pending' }, pending);
          this.set({ stream, consumer, state: 'ack_pending' }, ackPending);
        }
      },
    });
  }

  /** How many messages wait, over all consumers. Undefined if this process has none, or if the broker does not tell. */
  async waiting(): Promise<number | undefined> {
    const consumers = await this.lag?.().catch(() => undefined);
    return consumers?.reduce((sum, { pending }) => sum + pending, 0);
  }
}
