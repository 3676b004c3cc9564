import type { EventBatch } from '@weir/contracts';

/** How long a batch waits for company: one flush costs about ten statements however many batches it has. */
export const FLUSH_WAIT_MS = 200;
/** Events of one flush; bounds its memory and how long it holds its locks. */
export const FLUSH_EVENTS_MAX = 5_000;

interface Waiting {
  batch: EventBatch;
  done: () => void;
  fail: (error: unknown) => void;
}

export interface FlushBufferOptions {
  flush: (batches: EventBatch[]) => Promise<void>;
  /** Whether the failure of a flush is the fault of one of its batches: then each is tried alone. */
  isBatchFault: (error: unknown) => boolean;
  waitMs?: number;
  eventsMax?: number;
}

/** Gathers batches of all partitions into common flushes, one at a time, in order of arrival. */
export class FlushBuffer {
  private waiting: Waiting[] = [];
  private events = 0;
  private running = false;
  private wake: () => void = () => undefined;

  constructor(private readonly options: FlushBufferOptions) {}

  /** Settles when the batch is committed, or with the reason why it is not. */
  add(batch: EventBatch): Promise<void> {
    return new Promise((done, fail) => {
      this.waiting.push({ batch, done, fail });
      this.events += batch.events.length;
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

  private async flush(some: Waiting[]): Promise<void> {
    try {
      await this.options.flush(some.map(({ batch }) => batch));
      for (const { done } of some) done();
    } catch (error) {
      if (some.length > 1 && this.options.isBatchFault(error)) {
        for (const one of some) await this.flush([one]);
      } else {
        for (const { fail } of some) fail(error);
      }
    }
  }

  /** At least one batch, then as many as fit. */
  private take(): Waiting[] {
    let events = 0;
    const end = this.waiting.findIndex(({ batch }, at) => {
      events += batch.events.length;
      return at > 0 && events > this.eventsMax;
    });
    const some = this.waiting.splice(0, end === -1 ? this.waiting.length : end);
    this.events -= some.reduce((sum, { batch }) => sum + batch.events.length, 0);
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
    return this.events >= this.eventsMax;
  }

  private get eventsMax(): number {
    return this.options.eventsMax ?? FLUSH_EVENTS_MAX;
  }
}
