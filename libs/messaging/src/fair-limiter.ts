export interface FairLimits {
  /** Concurrent pieces of work. */
  max: number;
  /** Concurrent pieces of one owner. */
  ownerMax: number;
  /** Waiting pieces of one owner. More are refused at once. */
  waitingMax: number;
  /** How long a piece may wait for its turn. After this time the caller has given up. */
  waitMs: number;
}

interface OwnerQueue {
  running: number;
  waiting: Set<() => void>;
}

/** No slot became free in time. */
export class NoSlotError extends Error {}

/** Limits concurrent work. Owners take turns, so an owner with much work waits behind itself. */
export class FairLimiter {
  /** Owners with work, in the order in which they get the next slot. */
  private readonly queues = new Map<string, OwnerQueue>();
  private running = 0;

  constructor(private readonly limits: FairLimits) {}

  /** Settles as `work` does, or rejects with {@link NoSlotError}. */
  async use<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const queue = this.queues.get(owner) ?? { running: 0, waiting: new Set() };
    this.queues.set(owner, queue);
    await this.turn(owner, queue);
    try {
      return await work();
    } finally {
      this.running -= 1;
      queue.running -= 1;
      this.forgetIdle(owner, queue);
      this.fill();
    }
  }

  private turn(owner: string, queue: OwnerQueue): Promise<void> {
    return new Promise((resolve, reject) => {
      if (queue.waiting.size >= this.limits.waitingMax) throw new NoSlotError('too many wait already');
      const timer = setTimeout(() => {
        queue.waiting.delete(begin);
        this.forgetIdle(owner, queue);
        reject(new NoSlotError('no place became free in time'));
      }, this.limits.waitMs);
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      queue.waiting.add(begin);
      this.fill();
    });
  }

  private fill(): void {
    for (let next = this.next(); next; next = this.next()) {
      const { owner, queue, begin } = next;
      this.queues.delete(owner);
      this.queues.set(owner, queue);
      queue.waiting.delete(begin);
      queue.running += 1;
      this.running += 1;
      begin();
    }
  }

  private next(): { owner: string; queue: OwnerQueue; begin: () => void } | undefined {
    if (this.running >= this.limits.max) return undefined;
    for (const [owner, queue] of this.queues) {
      const [begin] = queue.waiting;
      if (begin && queue.running < this.limits.ownerMax) return { owner, queue, begin };
    }
    return undefined;
  }

  /** Pieces that wait. */
  get waiting(): number {
    return [...this.queues.values()].reduce((count, { waiting }) => count + waiting.size, 0);
  }

  private forgetIdle(owner: string, queue: OwnerQueue): void {
    if (queue.running === 0 && queue.waiting.size === 0) this.queues.delete(owner);
  }
}
