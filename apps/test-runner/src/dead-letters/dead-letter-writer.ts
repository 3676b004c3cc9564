import { Injectable } from '@nestjs/common';
import { isDatabaseAway } from '@weir/messaging';
import { type DeadLetter, DeadLetterRepository } from './dead-letter.repository.js';

/** Statements at a time: the database's cores are for others, too. */
const LANES = 4;
/** Letters that go together. */
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
 * Writes the dead letters of a process: what comes while others are being written goes together, so a destination that
 * refuses everything costs few statements. Letters of one destination keep their order.
 */
@Injectable()
export class DeadLetterWriter {
  private readonly lanes = Array.from({ length: LANES }, (): Lane => ({ waiting: [], isBusy: false }));

  constructor(private readonly repository: DeadLetterRepository) {}

  /** Settles when the letter is stored. Rejects when the database is away, then with everything that waits behind it. */
  add(letter: DeadLetter): Promise<void> {
    return new Promise((done, fail) => {
      const lane = this.laneOf(letter);
      lane.waiting.push({ letter, done, fail });
      if (!lane.isBusy) void this.drain(lane);
    });
  }

  /** Begins in the next turn, so that the first letter finds company in what comes in this one. */
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

  /** Answers why nothing can be written now. A letter that the database refuses fails alone. */
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
