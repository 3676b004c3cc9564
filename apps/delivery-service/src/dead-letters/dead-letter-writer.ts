import { Injectable } from '@nestjs/common';
import { isDatabaseAway } from '@weir/messaging';
import { type DeadLetter, DeadLetterRepository, type Written } from './dead-letter.repository.js';

/** Concurrent statements. The limit leaves database cores to other services. */
const WRITERS = 4;
/** Letters per group. */
const GROUP_MAX = 1_000;

interface Waiting {
  letter: DeadLetter;
  done: (written: Written) => void;
  fail: (error: unknown) => void;
}

interface Writer {
  waiting: Waiting[];
  isBusy: boolean;
}

/**
 * Writes the dead letters of a process. Letters that arrive during a write form the next group, so a destination that refuses
 * everything costs few statements. Letters of one destination keep their order.
 */
@Injectable()
export class DeadLetterWriter {
  private readonly writers = Array.from({ length: WRITERS }, (): Writer => ({ waiting: [], isBusy: false }));

  constructor(private readonly repository: DeadLetterRepository) {}

  /** Resolves when the letter is stored, or its user turned out to be deleted. If the database is away, rejects this letter and all that wait behind it. */
  add(letter: DeadLetter): Promise<Written> {
    return new Promise((done, fail) => {
      const writer = this.writerOf(letter);
      writer.waiting.push({ letter, done, fail });
      if (!writer.isBusy) void this.drain(writer);
    });
  }

  /** Yields once before the first write, so that letters of the same turn share a statement. */
  private async drain(writer: Writer): Promise<void> {
    writer.isBusy = true;
    await Promise.resolve();
    while (writer.waiting.length > 0) {
      const group = writer.waiting.splice(0, GROUP_MAX);
      const error = await this.write(group);
      if (error) for (const { fail } of writer.waiting.splice(0)) fail(error);
    }
    writer.isBusy = false;
  }

  /** Returns the error if the database is away. A letter that the database refuses fails alone. */
  private async write(group: Waiting[]): Promise<unknown> {
    try {
      const written = await this.repository.add(group.map(({ letter }) => letter));
      for (const [n, { done }] of group.entries()) done(written[n] ?? 'dead');
      return undefined;
    } catch (error) {
      if (group.length > 1 && !isDatabaseAway(error)) {
        for (const one of group) await this.write([one]);
        return undefined;
      }
      for (const { fail } of group) fail(error);
      return isDatabaseAway(error) ? error : undefined;
    }
  }

  private writerOf({ destinationId }: DeadLetter): Writer {
    const last = destinationId.charCodeAt(destinationId.length - 1) % WRITERS;
    return this.writers[last] as Writer;
  }
}
