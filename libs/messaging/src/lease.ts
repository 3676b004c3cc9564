import type { Claimed } from './lease-table.js';

/** Begins the next epoch of a slot; answers undefined when the slot is somebody else's by now. */
type Advance = (claimed: Claimed) => Promise<number | undefined>;

/**
 * A slot that this member owns, as far as it can know. Whoever writes in its name asks it right before: a process may have
 * been paused since, and then the slot is somebody else's. Time is that of a clock that nobody can turn.
 */
export class Lease {
  readonly slot: number;
  private currentEpoch: number;
  private isLost = false;

  /** @param heldUntil in milliseconds of `performance.now()`; nobody else may take the slot before */
  constructor(
    { slot, epoch }: Claimed,
    private heldUntil: number,
    private readonly next: Advance,
  ) {
    this.slot = slot;
    this.currentEpoch = epoch;
  }

  /** Grows with each owner, and whenever it is not known what became of a write: tells what is late from what is not. */
  get epoch(): number {
    return this.currentEpoch;
  }

  get isHeld(): boolean {
    return !this.isLost && performance.now() < this.heldUntil;
  }

  /** Throws `LeaseLostError` unless the slot is held now. */
  assertHeld(): void {
    if (!this.isHeld) throw new LeaseLostError(this.slot);
  }

  /**
   * Makes sure that the slot is still this member's, and begins a new epoch of it. What was written in the one before and
   * arrives from now on is known to be late. Rejects when the slot is lost, or when nobody can tell.
   */
  async advance(): Promise<void> {
    this.assertHeld();
    const epoch = await this.next(this);
    if (epoch === undefined) this.lose();
    else this.currentEpoch = epoch;
    this.assertHeld();
  }

  /** For its keeper. */
  extend(heldUntil: number): void {
    this.heldUntil = heldUntil;
  }

  /** For good: the same slot comes back as another lease. */
  lose(): void {
    this.isLost = true;
  }
}

export class LeaseLostError extends Error {
  constructor(slot: number) {
    super(`slot ${slot} is not known to be this process's any more`);
  }
}
