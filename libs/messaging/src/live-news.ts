import type { NatsConnection } from '@nats-io/transport-node';
import { eachInTurn } from './all-ended.js';
import type { Log } from './lease-keeper.js';
import { Periodic } from './periodic.js';

/** Often enough to look live, and seldom enough that a busy workspace costs four messages a second. */
const FLUSH_MS = 250;

interface LiveNewsOptions<Told> {
  nats: NatsConnection;
  /** Names the work in the log and the metrics, as that of {@link Periodic}. */
  task: string;
  log: Log;
  /** Nothing to tell yet. */
  empty: () => Told;
  subject: (workspaceId: string) => string;
  /** The message. Default: what was gathered. */
  message?: (told: Told, workspaceId: string) => object;
}

/** Gathers what live views show, and publishes one message per workspace and interval. Nothing waits for it. */
export class LiveNews<Told extends object> {
  private waiting = new Map<string, Told>();
  private readonly flushes: Periodic;

  constructor(private readonly options: LiveNewsOptions<Told>) {
    const { task, log } = options;
    this.flushes = new Periodic({ task, everyMs: FLUSH_MS, run: () => this.flush(), log, runsAtStop: true });
  }

  start(): void {
    this.flushes.start();
  }

  /** Publishes what is left. */
  stop(): Promise<void> {
    return this.flushes.stop();
  }

  /** The news that the next message of a workspace tells. The caller adds to them. */
  of(workspaceId: string): Told {
    const told = this.waiting.get(workspaceId) ?? this.options.empty();
    this.waiting.set(workspaceId, told);
    return told;
  }

  private async flush(): Promise<void> {
    const { nats, subject, message = (told) => told } = this.options;
    const told = this.waiting;
    this.waiting = new Map();
    if (nats.isClosed()) return;
    // one that is too large holds up nobody else's
    await eachInTurn(told, ([workspaceId, one]) =>
      nats.publish(subject(workspaceId), JSON.stringify(message(one, workspaceId))),
    );
  }
}
