/** A slot and the epoch that began with the claim. */
export interface Claimed {
  slot: number;
  epoch: number;
}

/** Begins the next epoch of a slot. Returns undefined when another member holds the slot. */
type Advance = (claimed: Claimed) => Promise<number | undefined>;

/**
 * A slot that this member owns, to its knowledge. Check it right before each write. The process may have been paused, and then
 * another member owns the slot. Uses a monotonic clock.
 */
export class Lease {
  readonly slot: number;
  private currentEpoch: number;
  private isLost = false;

  /** @param heldUntil in milliseconds of `performance.now()`. No other member may take the slot earlier. */
  constructor(
    { slot, epoch }: Claimed,
    private heldUntil: number,
    private readonly next: Advance,
  ) {
    this.slot = slot;
    this.currentEpoch = epoch;
  }

  /** Grows with each owner, and after each write with an unknown outcome. Separates late writes from current ones. */
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
   * Confirms that this member still owns the slot, and begins a new epoch. Readers recognise writes of the old epoch that arrive
   * later. Rejects when the slot is lost, or when the owner is unknown.
   */
  async advance(): Promise<void> {
    this.assertHeld();
    const epoch = await this.next(this);
    if (epoch === undefined) this.lose();
    else this.currentEpoch = epoch;
    this.assertHeld();
  }

  /** Called by the keeper only. */
  extend(heldUntil: number): void {
    this.heldUntil = Math.max(this.heldUntil, heldUntil);
  }

  /** Called by the keeper only. Ends the lease earlier. */
  endBy(time: number): void {
    this.heldUntil = Math.min(this.heldUntil, time);
  }

  /** Final. If this member gets the slot again, it comes as a new lease. */
  lose(): void {
    this.isLost = true;
  }
}

export class LeaseLostError extends Error {
  constructor(slot: number) {
    super(`this process may no longer hold slot ${slot}`);
  }
}
