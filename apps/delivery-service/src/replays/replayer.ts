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

  /** Sends all marked letters, some of each destination in turn. A destination that fails is skipped until the next round. */
  private async sendAll(): Promise<void> {
    if (this.inventory.whyIncomplete) return; // a missing destination may still exist
    const stuck = this.queue.busy;
    for (let isMore = true; isMore; ) {
      isMore = false;
      for (const destinationId of await this.letters.destinations(stuck)) {
        if (this.rounds.isStopped) return;
        const sent = await this.work(destinationId).catch((error: Error) => this.leave(destinationId, error));
        if (sent === 0) stuck.push(destinationId);
        else isMore = true;
      }
    }
  }

  /** Returns how many letters it has sent. Those of a disabled destination keep their marks and wait until it is enabled. */
  private async work(destinationId: string): Promise<number> {
    const destination = this.inventory.destination(destinationId);
    if (destination?.enabled)
      return (await this.letters.take(destinationId, LIMITS, (letters) => this.send(letters))).length;
    if (!destination) await this.letters.unmark(destinationId);
    return 0;
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
