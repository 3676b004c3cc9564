import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DELETION_REQUESTED_SUBJECT } from '@weir/contracts';
import { NATS } from '@weir/messaging';
import { Database, Metrics } from '@weir/service-kit';
import { BarrierService } from './barrier.service.js';
import { MendedDestinations } from './mended-destinations.js';
import { isInternal } from './task.rules.js';
import { dueTargets, oldestTaskSeconds, type Target, type TargetTurn } from './task-claim.repository.js';
import { TaskRunner } from './task-runner.js';

/** Polling interval, which also finds lost hints and due retries. */
const IDLE_POLL_MS = 1_000;
/** Polling interval while barriers are open or tasks are being worked on. */
const BUSY_POLL_MS = 250;
/** Limits of the work that goes on at a time. */
export const ERASER_LIMITS = {
  /** Concurrent destinations. Bounds memory and outgoing connections. */
  destinations: 16,
  /** Concurrent purges of what Weir keeps, in slots of their own, so that slow destinations never delay them. */
  internal: 8,
  /** Slots of one workspace in each of the two: a quarter, so that one workspace leaves room for others. */
  perWorkspace: 4,
  /** How long others wait at most for a slot that long deletions hold. */
  turnMs: 30_000,
};

/** How long the turn of a target that gave way counts. Others have had theirs by then. */
const REMEMBERED_MS = 3_600_000;

/** A turn of a target. It has ended if it gave way. */
interface Turn extends TargetTurn {
  end: AbortController;
  work: Promise<void>;
}

/** Advances barriers, and works on each target with due tasks on its own and in turns, so that a slow one delays only itself. */
@Injectable()
export class EraserService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(EraserService.name);
  /** Smaller in tests. */
  limits = ERASER_LIMITS;
  /** Turns that go on, and turns that gave way before everything due was done. */
  private readonly turns = new Map<string, Turn>();
  private hints: Subscription | undefined;
  private loop: Promise<void> = Promise.resolve();
  private wake: () => void = () => undefined;
  private stopped = false;
  /** Shared by rounds. One workspace may have very many failed deletions, and the rounds of others do not wait for them. */
  private retrying: Promise<unknown> | undefined;

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
    await Promise.all([this.loop, this.retrying]);
    for (const { end } of this.turns.values()) end.abort();
    await Promise.all([...this.turns.values()].map(({ work }) => work));
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

  /** A part that fails holds up no other, because it may fail each time. */
  private async round(): Promise<boolean> {
    const tell = (error: Error) => {
      this.logger.warn(`deletions wait: ${error.message}`);
      return 0;
    };
    this.retrying ??= this.mended
      .retry()
      .catch(tell)
      .finally(() => {
        this.retrying = undefined;
      });
    const open = await this.barriers.advance().catch(tell);
    for (const target of await this.dueTargets()) this.begin(target);
    return open > 0 || this.running().length > 0;
  }

  private async dueTargets(): Promise<Target[]> {
    this.forgetOld();
    const running = this.running();
    const internal = running.filter(({ destinationId }) => isInternal(destinationId)).length;
    const { perWorkspace, ...slots } = this.limits;
    const free = {
      ...{ internal: slots.internal - internal, destinations: slots.destinations - (running.length - internal) },
      perWorkspace,
    };
    if (free.internal + free.destinations === 0) return [];
    return dueTargets(this.dataSource, [...this.turns.values()], free);
  }

  /** Another eraser may have done what was left, and then no turn follows. */
  private forgetOld(): void {
    const before = Date.now() - REMEMBERED_MS;
    for (const [key, { gaveWayAt }] of this.turns)
      if (gaveWayAt && gaveWayAt.getTime() < before) this.turns.delete(key);
  }

  private running(): Turn[] {
    return [...this.turns.values()].filter(({ gaveWayAt }) => gaveWayAt === null);
  }

  private begin(target: Target): void {
    const turn: Turn = { ...target, gaveWayAt: null, end: new AbortController(), work: Promise.resolve() };
    this.turns.set(keyOf(target), turn);
    turn.work = this.takeTurn(turn);
  }

  private async takeTurn(turn: Turn): Promise<void> {
    const { signal } = turn.end;
    const timer = setTimeout(() => turn.end.abort(), this.limits.turnMs);
    let isMore = true;
    try {
      while (isMore && !signal.aborted) isMore = (await this.tasks.runDue(turn, signal)) > 0;
    } catch (error) {
      this.logger.warn(`deletions at ${turn.destinationId} wait: ${(error as Error).message}`);
    } finally {
      clearTimeout(timer);
      if (isMore) turn.gaveWayAt = new Date();
      else this.turns.delete(keyOf(turn));
      // The configuration may have been mended while an attempt was under way.
      this.mended.note(turn.destinationId);
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

const keyOf = ({ workspaceId, destinationId }: Target) => `${workspaceId}/${destinationId}`;
