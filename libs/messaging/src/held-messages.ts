import type { StreamMessage } from './stream-message.js';
import { bytesOf, WaitingMessages } from './waiting-messages.js';

/** The messages of one partition that a worker holds: those to be handled, each source in stream order, and those that a handler keeps. */
export class HeldMessages {
  private readonly waiting = new WaitingMessages();
  /** Messages that their handler has not acknowledged yet, by name. */
  private readonly kept = new Map<string, StreamMessage>();

  /** Whether nothing waits to be handled. */
  get isEmpty(): boolean {
    return this.waiting.isEmpty;
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
    return this.waiting.add(message) ? message.data.length : 0;
  }

  /** The messages of the next call, up to the limit and at least one (see {@link WaitingMessages.next}). */
  next(bytesMax: number): StreamMessage[] {
    return this.waiting.next(bytesMax);
  }

  /**
   * Removes what is done, and puts aside what its handler keeps. Both may have happened through this copy, or through an earlier
   * copy that was handled while the redelivery arrived. Returns how many of `handled` were finished or kept, and the bytes that
   * are free now.
   */
  removeHandled(handled: readonly StreamMessage[]): { finished: number; freed: number } {
    const done = namesOf(handled.filter(({ isDone }) => isDone));
    const keeping = namesOf(handled.filter(({ isDone, isKept }) => isKept && !isDone));
    let freed = 0;
    for (const subject of new Set(handled.map((message) => message.subject))) {
      const before = this.waiting.of(subject);
      for (const message of before)
        if (keeping.has(nameOf(message)) && !message.isDone) this.kept.set(nameOf(message), message);
      const isLeft = (message: StreamMessage) =>
        !message.isDone && !done.has(nameOf(message)) && !keeping.has(nameOf(message));
      this.waiting.keep(subject, isLeft);
      freed += bytesOf(before) - bytesOf(this.waiting.of(subject));
    }
    freed -= bytesOf([...keeping].flatMap((name) => this.kept.get(name) ?? []));
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
    const open = [...this.kept.values(), ...this.waiting].filter((held) => held.sequence <= sequence && !held.isDone);
    return new Set(open.map((held) => held.sequence)).size;
  }

  /** Whether these messages are the first ones of their sources. An earlier one may have come since they were chosen. */
  beginsWith(chosen: readonly StreamMessage[]): boolean {
    return [...Map.groupBy(chosen, ({ subject }) => subject)].every(([subject, ofSource]) => {
      const waiting = this.waiting.of(subject);
      return ofSource.every((message, at) => waiting[at] === message);
    });
  }

  /** Restarts the acknowledgement timeout of each stream message that is not done. */
  reportWorking(): void {
    const reported = new Set<number>();
    for (const message of [...this.kept.values(), ...this.waiting]) {
      if (message.isDone || reported.has(message.sequence)) continue;
      reported.add(message.sequence);
      message.working();
    }
  }

  /** Hands everything back for the next owner. */
  handBack(): void {
    for (const message of [...this.kept.values(), ...this.waiting]) message.nak();
    this.waiting.clear();
    this.kept.clear();
  }
}

type Position = Pick<StreamMessage, 'sequence' | 'position'>;

/** The name of a message. All copies of the message share it. */
export const nameOf = ({ sequence, position }: Position): string => `${sequence}/${position}`;
const namesOf = (messages: readonly StreamMessage[]) => new Set(messages.map(nameOf));
