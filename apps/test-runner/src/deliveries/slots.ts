/** Entries removed from the queue at once. Removing single entries would move all later ones each time. */
const SWEEP = 1_024;

/** Runs at most `max` pieces of work at a time. The others wait in order. */
export class Slots {
  private readonly waiting: (() => void)[] = [];
  /** Index of the first waiting entry. */
  private first = 0;
  private used = 0;

  constructor(private readonly max: number) {}

  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.used >= this.max) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.used += 1;
    try {
      return await work();
    } finally {
      const next = this.next();
      if (next) next();
      else this.used -= 1;
    }
  }

  private next(): (() => void) | undefined {
    const next = this.waiting[this.first];
    if (next) this.first += 1;
    if (this.first >= SWEEP || this.first === this.waiting.length) {
      this.waiting.splice(0, this.first);
      this.first = 0;
    }
    return next;
  }
}
