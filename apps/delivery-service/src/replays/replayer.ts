import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { DeliveryPart } from '@weir/contracts';
import { InventoryMirror } from '@weir/inventory';
import { Periodic } from '@weir/messaging';
import { Traces } from '../traces/traces.js';
import { type LettersMax, type ReplayLetter, ReplayRepository } from './replay.repository.js';
import { ReplayQueue } from './replay-queue.js';

const POLL_MS = 1_000;
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

  /** Sends all marked letters. A destination that fails is skipped until the next round. */
  private async sendAll(): Promise<void> {
    if (this.inventory.whyIncomplete) return; // a missing destination may still exist
    const stuck = this.queue.busy;
    for (let sent = 1; sent > 0 && !this.rounds.isStopped; ) {
      sent = await this.letters
        .take(LIMITS, stuck, (letters) => this.send(letters))
        .then(({ length }) => length)
        .catch((error: Error) => this.leave(error, stuck));
    }
  }

  private async send(letters: ReplayLetter[]): Promise<void> {
    const [{ destinationId, workspaceId } = NOTHING] = letters;
    const owner = { workspaceId, destinationId };
    if (!this.inventory.destination(destinationId)) throw new StuckError(destinationId, true);
    const isTraced = await this.traces.known(
      workspaceId,
      letters.map(({ event }) => event),
    );
    const parts = letters.map((letter) => partOf(letter, isTraced(letter.event)));
    const isStored = await this.queue.store(owner, parts).catch((cause) => {
      throw new StuckError(destinationId, false, { cause });
    });
    if (!isStored) throw new StuckError(destinationId, false);
    for (const part of parts) this.traces.replayed({ ...part, ...owner });
  }

  /** Skips a destination that is stuck. Returns 1 if another destination may have letters, otherwise 0. */
  private async leave(error: Error, stuck: string[]): Promise<number> {
    if (!(error instanceof StuckError)) {
      this.logger.warn(`cannot replay dead letters yet: ${error.message}`);
      return 0;
    }
    stuck.push(error.destinationId);
    if (error.isGone) await this.letters.unmark(error.destinationId).catch(() => undefined);
    return 1;
  }
}

const NOTHING = { destinationId: '', workspaceId: '' };

/** The queue of the destination takes nothing now, too much waits in it, or the destination is gone. */
class StuckError extends Error {
  constructor(
    readonly destinationId: string,
    readonly isGone: boolean,
    options?: ErrorOptions,
  ) {
    super(`nothing can be sent to ${destinationId}`, options);
  }
}

/** The retry window starts over. */
const partOf = ({ id, sourceId, eventKey, output, event }: ReplayLetter, isTraced: boolean): DeliveryPart => ({
  batchId: `replay.${id}`,
  sourceId,
  receivedAt: new Date().toISOString(),
  events: [event],
  // an event that was sampled before stays traced, so its life is whole
  ...(isTraced && { traceShare: 1 }),
  replay: { eventKey, ...(output !== null && { output }) },
});
