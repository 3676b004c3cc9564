import { Injectable, Logger } from '@nestjs/common';
import { BATCH_BYTES_MAX, type DeliveryPart, deliverySubject } from '@weir/contracts';
import { InventoryMirror, StreamPublisher } from '@weir/messaging';
import { chunksOf } from '../code/chunks.js';
import { DeliveryShares } from '../deliveries/delivery-shares.js';
import { type ReplayLetter, ReplayRepository } from './replay.repository.js';

const POLL_MS = 1_000;
/** Letters per transaction. */
const LETTERS_MAX = 100;

/** Puts marked dead letters back into the queue of their destination, under their original event keys. */
@Injectable()
export class Replayer {
  private readonly logger = new Logger(Replayer.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isStopped = false;

  constructor(
    private readonly letters: ReplayRepository,
    private readonly inventory: InventoryMirror,
    private readonly publisher: StreamPublisher,
    private readonly shares: DeliveryShares,
  ) {}

  start(): void {
    this.timer = setInterval(() => {
      this.running ??= this.sendAll().finally(() => {
        this.running = undefined;
      });
    }, POLL_MS);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** Sends all marked letters. A destination that fails is skipped until the next round. */
  private async sendAll(): Promise<void> {
    if (this.inventory.reason) return; // the inventory is incomplete, so a missing destination may still exist
    const stuck: string[] = [];
    for (let sent = 1; sent > 0 && !this.isStopped; ) {
      sent = await this.letters
        .take(LETTERS_MAX, stuck, (letters) => this.send(letters))
        .catch((error: Error) => this.leave(error, stuck));
    }
  }

  private async send(letters: ReplayLetter[]): Promise<void> {
    const [{ destinationId, workspaceId } = NOTHING] = letters;
    const owner = { workspaceId, destinationId };
    if (!this.inventory.destination(destinationId)) throw new StuckError(destinationId, true);
    for (const parts of chunksOf(letters.map(partOf), { itemsMax: LETTERS_MAX, bytesMax: BATCH_BYTES_MAX })) {
      const msgId = `${parts[0]?.batchId}.${parts.length}`;
      const text = JSON.stringify({ ...owner, parts });
      const publish = () => this.publisher.publishText(deliverySubject(destinationId), text, { msgId });
      const isWritten = await this.shares.write(owner, Buffer.byteLength(text), publish).catch((cause) => {
        throw new StuckError(destinationId, false, { cause });
      });
      if (!isWritten) throw new StuckError(destinationId, false);
    }
  }

  /** Skips a destination that is stuck. Returns 1 if another destination may have letters, otherwise 0. */
  private async leave(error: Error, stuck: string[]): Promise<number> {
    if (!(error instanceof StuckError)) {
      this.logger.warn(`dead letters wait to be sent again: ${error.message}`);
      return 0;
    }
    stuck.push(error.destinationId);
    if (error.isGone) await this.letters.unmark(error.destinationId).catch(() => undefined);
    return 1;
  }
}

const NOTHING = { destinationId: '', workspaceId: '' };

/** The queue of the destination takes nothing now, or the destination is gone. */
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
const partOf = ({ id, sourceId, eventKey, output, event }: ReplayLetter): DeliveryPart => ({
  batchId: `replay.${id}`,
  sourceId,
  receivedAt: new Date().toISOString(),
  events: [event],
  replay: { eventKey, ...(output !== null && { output }) },
});
