import { AppError } from '@weir/contracts';

interface Line {
  tail: Promise<unknown>;
  length: number;
}

/** Runs the work of a key one at a time, in the order of the calls. Different keys run in parallel. */
export class KeyedQueue {
  private readonly lines = new Map<string, Line>();

  /** `lengthMax` limits the work per key, including the one that runs. */
  constructor(private readonly lengthMax: number) {}

  /** Settles as `work` does. A failure does not stop the work behind it. Throws `unavailable` when too many wait. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = this.lines.get(key) ?? { tail: Promise.resolve(), length: 0 };
    if (line.length >= this.lengthMax) {
      throw new AppError('unavailable', `${line.length} others are waiting for the same; try again`);
    }
    this.lines.set(key, line);
    line.length += 1;
    const result = line.tail.then(work);
    line.tail = result.catch(() => undefined);
    try {
      return await result;
    } finally {
      line.length -= 1;
      if (line.length === 0) this.lines.delete(key);
    }
  }

  /** Number of keys with work. Keys without work take no memory. */
  get size(): number {
    return this.lines.size;
  }
}
