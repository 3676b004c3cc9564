import { during } from '@weir/messaging';

/** Messages of one view that wait for their turn; a view is a sample, so what comes beyond is counted as left out. */
export const WAITING_MAX = 32;

/** Does one piece of work in each turn of the event loop: a message for all views of a workspace comes ten times at once. */
export class Turns {
  private readonly waiting: { owner: object; work: () => void }[] = [];

  /** Whether the work will be done. */
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
      // What cannot be read is not shown; nothing but a view hangs on it.
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
