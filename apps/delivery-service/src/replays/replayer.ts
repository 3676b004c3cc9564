import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { DeliveryPart } from '@weir/contracts';
import { InventoryMirror } from '@weir/inventory';
import { Periodic } from '@weir/messaging';
import { Traces } from '../traces/traces.js';
import { type LettersMax, type ReplayLetter, ReplayRepository } from './replay.repository.js';
import { ReplayQueue } from './replay-queue.js';
import { ReplayTurns } from './replay-turns.js';

const POLL_MS = 1_000;
/** Destinations that one look finds. Each costs a jump in the index of every day. */
const FOUND_AT_ONCE = 500;
/** A look for more destinations comes after this many times what the last one took, so that it never takes much of the database. */
const LOOK_SHARE = 10;
/** Per transaction. Letters are in memory as objects and as texts, and some have half a megabyte. */
const LIMITS: LettersMax = { lettersMax: 100, bytesMax: 2_097_152 };

/** Puts marked dead letters back into the queue of their destination, under their original event keys. */
@Injectable()
export class Replayer implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(Replayer.name);
  private readonly rounds = new Periodic({
    task: 'replay dead letters',
    everyMs: POLL_MS,
    run: () => this.sendAll(),
    log: this.logger,
  });

  private readonly turns = new ReplayTurns();
  private lookedUntil = '';
  private nextLookAt = 0;

  constructor(
    private readonly letters: ReplayRepository,
    private readonly inventory: InventoryMirror,
    private readonly queue: ReplayQueue,
    private readonly traces: Traces,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }

  /** Sends all marked letters, some of each destination in turn. A destination that fails is skipped until the next look. */
  private async sendAll(): Promise<void> {
    if (this.inventory.whyIncomplete) return; // a missing destination may still exist
    await this.look();
    for (let next = this.turns.next(); next; next = this.turns.next()) {
      if (this.rounds.isStopped) return;
      const { destinationId } = next;
      const sent = await this.work(destinationId).catch((error: Error) => this.leave(destinationId, error));
      if (sent > 0) this.turns.add(next);
      await this.look();
    }
  }

  /**
   * Finds some more destinations with marked letters, and begins anew behind the last one. Those of a disabled destination, or of one for
   * which too much waits, keep their marks.
   */
  private async look(): Promise<void> {
    const startedAt = performance.now();
    if (startedAt < this.nextLookAt) return;
    const found = await this.letters.destinations(this.lookedUntil, FOUND_AT_ONCE);
    this.lookedUntil = found.length < FOUND_AT_ONCE ? '' : (found.at(-1) ?? '');
    const endedAt = performance.now();
    this.nextLookAt = endedAt + Math.max(POLL_MS, LOOK_SHARE * (endedAt - startedAt));
    for (const destinationId of found) {
      const { enabled = true, workspaceId = '' } = this.inventory.destination(destinationId) ?? {};
      if (enabled && !this.queue.isBusy(destinationId)) this.turns.add({ workspaceId, destinationId });
    }
  }

  /** Returns how many letters it has sent. Those of a destination that is gone lose their marks. */
  private async work(destinationId: string): Promise<number> {
    const destination = this.inventory.destination(destinationId);
    if (!destination) await this.letters.unmark(destinationId);
    if (!destination?.enabled) return 0;
    return (await this.letters.take(destinationId, LIMITS, (letters) => this.send(letters))).length;
  }

  private async send(letters: ReplayLetter[]): Promise<void> {
    const [{ destinationId, workspaceId } = NOTHING] = letters;
    const owner = { workspaceId, destinationId };
    const isTraced = await this.traces.known(
      workspaceId,
      letters.map(({ event }) => event),
    );
    const parts = letters.map((letter) => partOf(letter, isTraced(letter.event)));
    const isStored = await this.queue.store(owner, parts).catch((cause) => {
      throw new StuckError(destinationId, { cause });
    });
    if (!isStored) throw new StuckError(destinationId);
    for (const part of parts) this.traces.replayed({ ...part, ...owner });
  }

  private leave(destinationId: string, error: Error): number {
    if (!(error instanceof StuckError))
      this.logger.warn(`cannot replay dead letters for ${destinationId} yet: ${error.message}`);
    return 0;
  }
}

const NOTHING = { destinationId: '', workspaceId: '' };

/** The queue of the destination takes nothing now, or too much waits in it. */
class StuckError extends Error {
  constructor(destinationId: string, options?: ErrorOptions) {
    super(`nothing can be sent to ${destinationId}`, options);
  }
}

/** The retry window starts over. For deletions, the time of the intake counts. */
const partOf = (
  { id, sourceId, eventKey, output, event, receivedAt }: ReplayLetter,
  isTraced: boolean,
): DeliveryPart => ({
  batchId: `replay.${id}`,
  sourceId,
  receivedAt: new Date().toISOString(),
  events: [event],
  // an event that was sampled before stays traced, so its life is whole
  ...(isTraced && { traceShare: 1 }),
  replay: { eventKey, receivedAt: receivedAt.toISOString(), wasLetter: true, ...(output !== null && { output }) },
});
