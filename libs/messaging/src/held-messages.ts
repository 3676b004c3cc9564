import type { StreamMessage } from './stream-message.js';

/** The messages of one partition that a worker holds: those to be handled, in stream order, and those that a handler keeps. */
export class HeldMessages {
  private messages: StreamMessage[] = [];
  /** Messages that their handler has not acknowledged yet, by name. */
  private readonly kept = new Map<string, StreamMessage>();

  /** Whether nothing waits to be handled. */
  get isEmpty(): boolean {
    return this.messages.length === 0;
  }

  /**
   * Adds a message in its place and returns how many more bytes are held now. A message that is redelivered while still held
   * replaces the earlier copy.
   */
  add(message: StreamMessage): number {
    const name = nameOf(message);
    if (this.kept.has(name)) {
      this.kept.set(name, message);
      return 0;
    }
    const last = this.messages.at(-1);
    const isNewest = last === undefined || compare(last, message) < 0;
    const at = isNewest ? this.messages.length : this.messages.findIndex((held) => compare(held, message) >= 0);
    const earlier = this.messages[at];
    const isAgain = earlier !== undefined && compare(earlier, message) === 0;
    this.messages.splice(at, isAgain ? 1 : 0, message);
    return isAgain ? 0 : message.data.length;
  }

  /**
   * The first messages, up to the limit. At least one. All batches of a stream message stay together. If only some of them were
   * handled, the next owner would get them again with the others.
   */
  first(bytesMax: number): StreamMessage[] {
    let bytes = 0;
    const over = this.messages.findIndex(({ data }) => {
      bytes += data.length;
      return bytes > bytesMax;
    });
    if (over === -1) return [...this.messages];
    const sequence = this.messages[over]?.sequence;
    const begin = this.messages.findIndex((message) => message.sequence === sequence);
    if (begin > 0) return this.messages.slice(0, begin);
    return this.messages.filter((message) => message.sequence === sequence);
  }

  /**
   * Removes what is done, and puts aside what its handler keeps. Both may have happened through this copy, or through an earlier
   * copy that was handled while the redelivery arrived. Returns how many of `handled` were finished or kept, and the bytes that
   * are free now.
   */
  removeHandled(handled: readonly StreamMessage[]): { finished: number; freed: number } {
    const done = namesOf(handled.filter(({ isDone }) => isDone));
    const keeping = namesOf(handled.filter(({ isDone, isKept }) => isKept && !isDone));
    const before = bytesOf(this.messages);
    for (const message of this.messages) {
      const name = nameOf(message);
      if (keeping.has(name) && !message.isDone) this.kept.set(name, message);
    }
    this.messages = this.messages.filter((message) => {
      const name = nameOf(message);
      return !message.isDone && !done.has(name) && !keeping.has(name);
    });
    const freed = before - bytesOf(this.messages) - bytesOf([...keeping].flatMap((name) => this.kept.get(name) ?? []));
    return { finished: done.size + keeping.size, freed };
  }

  /** Removes a kept message that is done, through any of its copies. Returns the bytes that are free now. */
  release(message: StreamMessage): number {
    const kept = this.kept.get(nameOf(message));
    this.kept.delete(nameOf(message));
    return kept?.data.length ?? 0;
  }

  /**
   * Number of stream messages up to a sequence that the broker still expects an acknowledgement for. Each may hold several
   * batches. A running call may have acknowledged some of what is here. Those do not stand for messages that are missing.
   */
  countOpenUpTo(sequence: number): number {
    const open = [...this.kept.values(), ...this.messages].filter((held) => held.sequence <= sequence && !held.isDone);
    return new Set(open.map((held) => held.sequence)).size;
  }

  /** Whether these messages are the first ones. An earlier one may have come since they were chosen. */
  beginsWith(chosen: readonly StreamMessage[]): boolean {
    return chosen.every((message, at) => this.messages[at] === message);
  }

  /** Restarts the acknowledgement timeout of each stream message that is not done. */
  reportWorking(): void {
    const reported = new Set<number>();
    for (const message of [...this.kept.values(), ...this.messages]) {
      if (message.isDone || reported.has(message.sequence)) continue;
      reported.add(message.sequence);
      message.working();
    }
  }

  /** Hands everything back for the next owner. */
  handBack(): void {
    for (const message of [...this.kept.values(), ...this.messages]) message.nak();
    this.messages = [];
    this.kept.clear();
  }
}

type Position = Pick<StreamMessage, 'sequence' | 'position'>;

const compare = (a: Position, b: Position) => a.sequence - b.sequence || a.position - b.position;
/** The name of a message, whatever copy of it. */
export const nameOf = ({ sequence, position }: Position): string => `${sequence}/${position}`;
const namesOf = (messages: readonly StreamMessage[]) => new Set(messages.map(nameOf));

export const bytesOf = (messages: readonly StreamMessage[]): number =>
  messages.reduce((sum, { data }) => sum + data.length, 0);
