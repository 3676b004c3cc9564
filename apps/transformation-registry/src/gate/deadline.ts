import { AppError, type Call } from '@weir/contracts';

/** Reserved for the last transaction and the reply. */
const MARGIN_MS = 1_000;

/** Ends before the caller gives up, so that no publish goes live after the caller was told that it failed. */
export class Deadline {
  private constructor(private readonly endsAt: number) {}

  static of(call: Call): Deadline {
    return new Deadline(Date.now() + call.deadlineMs - MARGIN_MS);
  }

  /** Throws `timeout` if no time is left. */
  leftMs(): number {
    const left = this.endsAt - Date.now();
    if (left > 0) return left;
    throw new AppError(
      'timeout',
      'The tests took too long and nothing was published: publish fewer revisions at a time',
    );
  }
}
