/**
 * Runs work in order within a lane, and lanes concurrently. A lane that waits for a retry blocks no other lane. Lanes exist only
 * while they have work.
 */
export class Lanes {
  private readonly tails = new Map<string, Promise<void>>();

  /** Runs the work after everything earlier in its lane. Resolves when it is done. Failed work does not block its lane. */
  add(lane: string, work: () => Promise<void>): Promise<void> {
    const before = this.tails.get(lane) ?? Promise.resolve();
    const done = before.then(work, work);
    this.tails.set(lane, done);
    const free = () => {
      if (this.tails.get(lane) === done) this.tails.delete(lane);
    };
    done.then(free, free);
    return done;
  }

  get size(): number {
    return this.tails.size;
  }
}
