import { AppError } from '@weir/contracts';
import { workOwner } from './work-owner.js';

/** Returns the outcome of `work`, or rejects with an error that names `what` after the time. A later outcome is ignored. */
export async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`no answer from ${what}`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

interface KeyQueue {
  tail: Promise<unknown>;
  length: number;
}

/** Runs the work of a key one at a time, in the order of the calls. Different keys run in parallel. */
export class KeyedQueue {
  private readonly queues = new Map<string, KeyQueue>();

  /** `lengthMax` limits the work per key, including the one that runs. */
  constructor(private readonly lengthMax: number) {}

  /** Settles as `work` does. A failure does not stop the work behind it. Throws `unavailable` when too many wait. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const queue = this.queues.get(key) ?? { tail: Promise.resolve(), length: 0 };
    if (queue.length >= this.lengthMax) {
      throw new AppError('unavailable', `${queue.length} others are waiting for the same. Try again`);
    }
    this.queues.set(key, queue);
    queue.length += 1;
    const result = queue.tail.then(work);
    queue.tail = result.catch(() => undefined);
    try {
      return await result;
    } finally {
      queue.length -= 1;
      if (queue.length === 0) this.queues.delete(key);
    }
  }

  /** Number of keys with work. Keys without work take no memory. */
  get size(): number {
    return this.queues.size;
  }
}

/**
 * Runs one thing at a time for many callers. Each call is served by a run that starts after it, so the run sees everything that
 * the caller did before. Callers that wait share the next run, so a run belongs to none of them.
 */
export class SingleFlight {
  private current: Promise<void> | undefined;
  private next: Promise<void> | undefined;

  constructor(private readonly work: () => Promise<void>) {}

  run(): Promise<void> {
    if (!this.current) return this.begin();
    this.next ??= this.current.then(
      () => this.begin(),
      () => this.begin(),
    );
    return this.next;
  }

  /** Nothing runs and nobody waits. */
  get isIdle(): boolean {
    return !this.current && !this.next;
  }

  private begin(): Promise<void> {
    this.next = undefined;
    const run = workOwner
      .leave(() => this.work())
      .finally(() => {
        if (this.current === run) this.current = undefined;
      });
    this.current = run;
    return run;
  }
}
