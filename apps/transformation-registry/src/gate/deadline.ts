import { AppError, type Call } from '@weir/contracts';

/** Kept back for the last transaction and the way of the reply. */
const MARGIN_MS = 1_000;

/** Ends before the caller gives up, so that nothing goes live that the caller was told has failed. */
export class Deadline {
  private constructor(private readonly endsAt: number) {}

  static of(call: Call): Deadline {
    return new Deadline(Date.now() + call.deadlineMs - MARGIN_MS);
  }

  /** Throws `timeout` when there is none left. */
  leftMs(): number {
    const left = this.endsAt - Date.now();
    if (left > 0) return left;
    throw new AppError(
      'timeout',
      'The tests took too long and nothing was published: publish fewer revisions at a time',
    );
  }
}
