import { Injectable } from '@nestjs/common';
import { isDatabaseAway } from '@weir/messaging';
import { type DeadLetter, DeadLetterRepository } from './dead-letter.repository.js';

/** Concurrent statements. The limit leaves database cores to other services. */
const LANES = 4;
/** Letters per group. */
const GROUP_MAX = 1_000;

interface Waiting {
  letter: DeadLetter;
  done: () => void;
  fail: (error: unknown) => void;
}

interface Lane {
  waiting: Waiting[];
  isBusy: boolean;
}

/**
 * Writes the dead letters of a process. Letters that arrive during a write form the next group, so a destination that refuses
 * everything costs few statements. Letters of one destination keep their order.
 */
@Injectable()
export class DeadLetterWriter {
  private readonly lanes = Array.from({ length: LANES }, (): Lane => ({ waiting: [], isBusy: false }));

  constructor(private readonly repository: DeadLetterRepository) {}

  /** Resolves when the letter is stored. If the database is away, rejects this letter and all that wait behind it. */
  add(letter: DeadLetter): Promise<void> {
    return new Promise((done, fail) => {
      const lane = this.laneOf(letter);
      lane.waiting.push({ letter, done, fail });
      if (!lane.isBusy) void this.drain(lane);
    });
  }

  /** Yields once before the first write, so that letters of the same turn share a statement. */
  private async drain(lane: Lane): Promise<void> {
    lane.isBusy = true;
    await Promise.resolve();
    while (lane.waiting.length > 0) {
      const group = lane.waiting.splice(0, GROUP_MAX);
      const error = await this.write(group);
      if (error) for (const { fail } of lane.waiting.splice(0)) fail(error);
    }
    lane.isBusy = false;
  }

  /** Returns the error if the database is away. A letter that the database refuses fails alone. */
  private async write(group: Waiting[]): Promise<unknown> {
    try {
      await this.repository.add(group.map(({ letter }) => letter));
      for (const { done } of group) done();
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

  private laneOf({ destinationId }: DeadLetter): Lane {
    const last = destinationId.charCodeAt(destinationId.length - 1) % LANES;
    return this.lanes[last] as Lane;
  }
}
