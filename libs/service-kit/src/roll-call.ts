import { createRequire } from 'node:module';
import type { NatsConnection } from '@nats-io/transport-node';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { isBrokerReliable, type ProcessName, type ProcessReport, ROLL_CALL_SUBJECT } from '@weir/contracts';
import type { Backlog } from './backlog.js';
import type { Health } from './health.js';

/** Every project of Weir has the version of the whole. Read at the start, because a bundle of this file stands elsewhere. */
const readVersion = () => (createRequire(import.meta.url)('../package.json') as { version: string }).version;

/** Tells whoever asks that this process runs, since when, in which version, what it misses, and how much waits for it. Each replica answers. */
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
