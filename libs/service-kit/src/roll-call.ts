import { createRequire } from 'node:module';
import type { NatsConnection } from '@nats-io/transport-node';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { type ProcessName, type ProcessReport, ROLL_CALL_SUBJECT } from '@weir/contracts';
import type { Health } from './health.js';

/** Every project of Weir has the version of the whole. Read at the start, because a bundle of this file stands elsewhere. */
const readVersion = () => (createRequire(import.meta.url)('../package.json') as { version: string }).version;

/** Tells whoever asks that this process runs, since when, in which version, and what it misses. Each replica answers. */
export class RollCall implements OnApplicationBootstrap {
  private readonly startedAt = new Date().toISOString();
  private readonly version = readVersion();

  constructor(
    private readonly process: ProcessName,
    private readonly nats: NatsConnection,
    private readonly health: Health,
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
    return { process, version, startedAt, ...(await this.health.report()) };
  }
}
