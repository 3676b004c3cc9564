export interface FairSlotsLimits {
  /** Concurrent pieces of work. */
  max: number;
  /** Concurrent pieces of one owner. */
  ownerMax: number;
  /** Waiting pieces of one owner. More are refused at once. */
  waitingMax: number;
  /** How long a piece may wait for its turn. After this time the caller has given up. */
  waitMs: number;
}

interface Line {
  running: number;
  waiting: Set<() => void>;
}

/** No slot became free in time. */
export class NoSlotError extends Error {}

/** Limits concurrent work. Owners take turns, so an owner with much work waits behind itself. */
export class FairSlots {
  /** Owners with work, in the order in which they get the next slot. */
  private readonly lines = new Map<string, Line>();
  private running = 0;

  constructor(private readonly limits: FairSlotsLimits) {}

  /** Settles as `work` does, or rejects with {@link NoSlotError}. */
  async use<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const line = this.lines.get(owner) ?? { running: 0, waiting: new Set() };
    this.lines.set(owner, line);
    await this.turn(owner, line);
    try {
      return await work();
    } finally {
      this.running -= 1;
      line.running -= 1;
      this.forgetIdle(owner, line);
      this.fill();
    }
  }

  private turn(owner: string, line: Line): Promise<void> {
    return new Promise((resolve, reject) => {
      if (line.waiting.size >= this.limits.waitingMax) throw new NoSlotError('too many wait already');
      const timer = setTimeout(() => {
        line.waiting.delete(begin);
        this.forgetIdle(owner, line);
        reject(new NoSlotError('no place became free in time'));
      }, this.limits.waitMs);
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      line.waiting.add(begin);
      this.fill();
    });
  }

  private fill(): void {
    for (let next = this.next(); next; next = this.next()) {
      const { owner, line, begin } = next;
      this.lines.delete(owner);
      this.lines.set(owner, line);
      line.waiting.delete(begin);
      line.running += 1;
      this.running += 1;
      begin();
    }
  }

  private next(): { owner: string; line: Line; begin: () => void } | undefined {
    if (this.running >= this.limits.max) return undefined;
    for (const [owner, line] of this.lines) {
      const [begin] = line.waiting;
      if (begin && line.running < this.limits.ownerMax) return { owner, line, begin };
    }
    return undefined;
  }

  private forgetIdle(owner: string, line: Line): void {
    if (line.running === 0 && line.waiting.size === 0) this.lines.delete(owner);
  }
}
