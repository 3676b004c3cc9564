/** How long an item waits for others. A flush costs about ten statements, regardless of its number of batches. */
export const FLUSH_WAIT_MS = 200;
/** Bytes of one flush's messages as received, about 5,000 events. Bounds its memory and how long it holds its locks. */
export const FLUSH_BYTES_MAX = 8_388_608;

interface Waiting<Item> {
  item: Item;
  done: () => void;
  fail: (error: unknown) => void;
}

export interface FlushBufferOptions<Item, Work> {
  bytesOf: (item: Item) => number;
  /** Runs while the previous flush is committed. */
  prepare: (items: Item[]) => Promise<Work>;
  commit: (work: Work) => Promise<void>;
  /** Whether one item caused the failure of a flush. If so, each item is retried alone. */
  isItemFault: (error: unknown) => boolean;
  waitMs?: number;
  bytesMax?: number;
}

/**
 * Gathers items of all partitions into shared flushes. Commits one at a time, in order of arrival, and prepares the next
 * meanwhile.
 */
export class FlushBuffer<Item, Work> {
  private waiting: Waiting<Item>[] = [];
  private bytes = 0;
  private running = false;
  private committed: Promise<void> = Promise.resolve();
  private wake: () => void = () => undefined;

  constructor(private readonly options: FlushBufferOptions<Item, Work>) {}

  /** Resolves when the item is committed, or rejects with the reason why it is not. */
  add(item: Item): Promise<void> {
    return new Promise((done, fail) => {
      this.waiting.push({ item, done, fail });
      this.bytes += this.options.bytesOf(item);
      if (this.isFull) this.wake();
      if (!this.running) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.running = true;
    while (this.waiting.length > 0) {
      if (!this.isFull) await this.untilFull();
      await this.flush(this.take());
    }
    this.running = false;
  }

  /** Resolves when the next flush may be prepared. */
  private async flush(some: Waiting<Item>[]): Promise<void> {
    const work = this.options.prepare(some.map(({ item }) => item));
    await Promise.allSettled([work, this.committed]);
    this.committed = this.settle(some, work);
  }

  private async settle(some: Waiting<Item>[], work: Promise<Work>): Promise<void> {
    try {
      await this.options.commit(await work);
      for (const { done } of some) done();
    } catch (error) {
      if (some.length > 1 && this.options.isItemFault(error)) {
        for (const one of some) await this.settle([one], this.options.prepare([one.item]));
      } else {
        for (const { fail } of some) fail(error);
      }
    }
  }

  /** Takes at least one item, then as many as fit. */
  private take(): Waiting<Item>[] {
    let bytes = 0;
    const end = this.waiting.findIndex(({ item }, at) => {
      bytes += this.options.bytesOf(item);
      return at > 0 && bytes > this.bytesMax;
    });
    const some = this.waiting.splice(0, end === -1 ? this.waiting.length : end);
    this.bytes -= some.reduce((sum, { item }) => sum + this.options.bytesOf(item), 0);
    return some;
  }

  private untilFull(): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, this.options.waitMs ?? FLUSH_WAIT_MS);
      this.wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  }

  private get isFull(): boolean {
    return this.bytes >= this.bytesMax;
  }

  private get bytesMax(): number {
    return this.options.bytesMax ?? FLUSH_BYTES_MAX;
  }
}
