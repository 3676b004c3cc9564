import type { StreamMessage } from './stream-message.js';

/** The messages of one partition that a worker holds, in stream order. */
export class HeldMessages {
  private messages: StreamMessage[] = [];

  get isEmpty(): boolean {
    return this.messages.length === 0;
  }

  /**
   * Adds a message in its place and returns how many more bytes are held now. A message that is redelivered while still held
   * replaces the earlier copy.
   */
  add(message: StreamMessage): number {
    const last = this.messages.at(-1);
    const isNewest = last === undefined || compare(last, message) < 0;
    const at = isNewest ? this.messages.length : this.messages.findIndex((held) => compare(held, message) >= 0);
    const earlier = this.messages[at];
    const isAgain = earlier !== undefined && compare(earlier, message) === 0;
    this.messages.splice(at, isAgain ? 1 : 0, message);
    return isAgain ? 0 : message.data.length;
  }

  /** The first messages, up to the limit. At least one. */
  first(bytesMax: number): StreamMessage[] {
    let bytes = 0;
    const end = this.messages.findIndex(({ data }, at) => {
      bytes += data.length;
      return at > 0 && bytes > bytesMax;
    });
    return this.messages.slice(0, end === -1 ? this.messages.length : end);
  }

  /**
   * Removes what is done. A message may be done through this copy, or through an earlier copy that was handled while the
   * redelivery arrived. Returns how many of `handled` were finished, and the bytes that are free now.
   */
  removeDone(handled: readonly StreamMessage[]): { finished: number; freed: number } {
    const finished = new Set(handled.filter(({ isDone }) => isDone).map(nameOf));
    const before = bytesOf(this.messages);
    this.messages = this.messages.filter((message) => !message.isDone && !finished.has(nameOf(message)));
    return { finished: finished.size, freed: before - bytesOf(this.messages) };
  }

  /**
   * Number of stream messages up to a sequence that the broker still expects an acknowledgement for. Each may hold several
   * batches. A running call may have acknowledged some of what is here. Those do not stand for messages that are missing.
   */
  countOpenUpTo(sequence: number): number {
    const open = this.messages.filter((held) => held.sequence <= sequence && !held.isDone);
    return new Set(open.map((held) => held.sequence)).size;
  }

  /** Whether these messages are the first ones. An earlier one may have come since they were chosen. */
  beginsWith(chosen: readonly StreamMessage[]): boolean {
    return chosen.every((message, at) => this.messages[at] === message);
  }

  /** Restarts the acknowledgement timeout of each stream message that is not done. */
  reportWorking(): void {
    const reported = new Set<number>();
    for (const message of this.messages) {
      if (message.isDone || reported.has(message.sequence)) continue;
      reported.add(message.sequence);
      message.working();
    }
  }

  /** Hands everything back for the next owner. */
  handBack(): void {
    for (const message of this.messages) message.nak();
    this.messages = [];
  }
}

type Position = Pick<StreamMessage, 'sequence' | 'position'>;

const compare = (a: Position, b: Position) => a.sequence - b.sequence || a.position - b.position;
const nameOf = ({ sequence, position }: Position) => `${sequence}/${position}`;

export const bytesOf = (messages: readonly StreamMessage[]): number =>
  messages.reduce((sum, { data }) => sum + data.length, 0);
