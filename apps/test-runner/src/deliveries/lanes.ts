/**
 * Work in order within a lane, lanes side by side. A lane that waits (for a retry) holds up nothing but itself.
 * Lanes come and go with their work.
 */
export class Lanes {
  private readonly tails = new Map<string, Promise<void>>();

  /** Runs after everything that was added to the lane before; resolves when it is done. Work that fails frees its lane. */
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
