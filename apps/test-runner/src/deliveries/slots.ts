/** At most `max` pieces of work at a time; more wait in the order in which they came. */
export class Slots {
  private readonly waiting: (() => void)[] = [];
  private used = 0;

  constructor(private readonly max: number) {}

  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.used >= this.max) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.used += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.used -= 1;
    }
  }
}
