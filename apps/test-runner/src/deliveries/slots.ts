/** Places of the queue that are given back at a time: taking them one by one moves everything behind them. */
const SWEEP = 1_024;

/** At most `max` pieces of work at a time; more wait in the order in which they came. */
export class Slots {
  private readonly waiting: (() => void)[] = [];
  /** Where the first that waits stands in `waiting`. */
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
