import { during } from '@weir/messaging';

/** Queued messages per view. A view is a sample, so it counts further messages as left out. */
export const WAITING_MAX = 32;

/** Runs one piece of work per turn of the event loop. A message for ten views of a workspace causes ten pieces at once. */
export class Turns {
  private readonly waiting: { owner: object; work: () => void }[] = [];

  /** Returns whether the work will run. */
  add(owner: object, work: () => void): boolean {
    if (this.waiting.filter((one) => one.owner === owner).length >= WAITING_MAX) return false;
    this.waiting.push({ owner, work });
    if (this.waiting.length === 1) this.schedule();
    return true;
  }

  private perform(work: () => void): void {
    try {
      during('live.show', work);
    } catch {
      // Skips unreadable messages. Only views depend on this work.
    }
  }

  private schedule(): void {
    setImmediate(() => {
      const next = this.waiting[0];
      if (next) this.perform(next.work);
      this.waiting.shift();
      if (this.waiting.length > 0) this.schedule();
    });
  }
}
