import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { NATS } from '@weir/messaging';
import { Database, Metrics } from '@weir/service-kit';
import { BarrierService } from './barrier.service.js';
import { DELETION_REQUESTED_SUBJECT } from './deletion.service.js';
import { MendedDestinations } from './mended-destinations.js';
import { dueDestinations, oldestTaskSeconds } from './task-claim.repository.js';
import { TaskRunner } from './task-runner.js';

/** Polling interval, which also finds lost hints and due retries. */
const IDLE_POLL_MS = 1_000;
/** Polling interval while barriers are open or destinations are being worked on. */
const BUSY_POLL_MS = 250;
/** Concurrent destinations. Bounds memory and outgoing connections. */
const DESTINATIONS_MAX = 16;

/** Advances barriers and works on each destination with due tasks on its own, so that a slow destination delays only itself. */
@Injectable()
export class EraserService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(EraserService.name);
  private readonly runs = new Map<string, Promise<void>>();
  private hints: Subscription | undefined;
  private loop: Promise<void> = Promise.resolve();
  private wake: () => void = () => undefined;
  private stopped = false;

  constructor(
    private readonly dataSource: Database,
    @Inject(NATS) private readonly nats: NatsConnection,
    private readonly barriers: BarrierService,
    private readonly tasks: TaskRunner,
    private readonly mended: MendedDestinations,
    metrics: Metrics,
  ) {
    metrics.gauge({
      name: 'regulation_deletion_oldest_seconds',
      help: 'Age of the oldest deletion that no vendor has taken yet',
      async collect() {
        this.set(await oldestTaskSeconds(dataSource).catch(() => Number.NaN));
      },
    });
  }

  onApplicationBootstrap(): void {
    this.hints = this.nats.subscribe(DELETION_REQUESTED_SUBJECT, { callback: () => this.wake() });
    this.loop = this.run();
  }

  /** Stops taking tasks and finishes those under way. Tasks that do not end in time are due again when their lease ends. */
  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    this.hints?.unsubscribe();
    this.wake();
    await this.loop;
    await Promise.all(this.runs.values());
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      const isBusy = await this.round().catch((error: Error) => {
        this.logger.warn(`deletions wait: ${error.message}`);
        return false;
      });
      if (!this.stopped) await this.sleep(isBusy ? BUSY_POLL_MS : IDLE_POLL_MS);
    }
  }

  private async round(): Promise<boolean> {
    await this.mended.retry();
    const open = await this.barriers.advance();
    const busy = [...this.runs.keys()];
    const due =
      busy.length < DESTINATIONS_MAX
        ? await dueDestinations(this.dataSource, busy, DESTINATIONS_MAX - busy.length)
        : [];
    for (const destinationId of due) this.runs.set(destinationId, this.runDestination(destinationId));
    return open > 0 || this.runs.size > 0;
  }

  private async runDestination(destinationId: string): Promise<void> {
    try {
      while (!this.stopped && (await this.tasks.runDue(destinationId)) > 0);
    } catch (error) {
      this.logger.warn(`deletions at ${destinationId} wait: ${(error as Error).message}`);
    } finally {
      this.runs.delete(destinationId);
      // The configuration may have been mended while an attempt was under way.
      this.mended.note(destinationId);
    }
  }

  private sleep(ms: number): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, ms);
      this.wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  }
}
