interface Waiting {
  room: ByteRoom;
  bytes: number;
  begin: () => void;
}

/**
 * Bytes that a process may hold at a time, whoever needs them. Everybody has a little of his own beside, so that nobody's
 * backlog takes everything. Who waits for the common part is served in the order of asking.
 */
export class ByteBudget {
  private used = 0;
  private readonly waiting = new Set<Waiting>();

  constructor(private readonly commonMax: number) {}

  /** A place to count for one holder; `ownMax` bytes are always his. */
  room(ownMax = 0): ByteRoom {
    return new ByteRoom(this, ownMax);
  }

  /** Of the common part. */
  get free(): number {
    return this.commonMax - this.used;
  }

  /** @internal Settles when the room has so many bytes more; at once, without them, when `signal` aborts. */
  async take(room: ByteRoom, bytes: number, signal?: AbortSignal): Promise<boolean> {
    if (signal?.aborted) return false;
    return new Promise((resolve) => {
      const leave = () => {
        this.waiting.delete(waiting);
        resolve(false);
        this.serve();
      };
      const begin = () => {
        signal?.removeEventListener('abort', leave);
        resolve(true);
      };
      const waiting = { room, bytes, begin };
      signal?.addEventListener('abort', leave, { once: true });
      this.waiting.add(waiting);
      this.serve();
    });
  }

  /** @internal */
  force(common: number): void {
    this.used += common;
  }

  /** @internal */
  give(common: number): void {
    this.used -= common;
    this.serve();
  }

  private serve(): void {
    let isTaken = false; // somebody before wants of the common part and does not get it yet
    for (const waiting of this.waiting) {
      const { room, bytes, begin } = waiting;
      const common = room.commonOf(bytes);
      // more than there is at all is given as soon as nobody has anything: else it would never come
      const fits = common === 0 || (!isTaken && (common <= this.free || this.used === 0));
      if (!fits) {
        isTaken = true;
        continue;
      }
      this.waiting.delete(waiting);
      this.used += common;
      room.held += bytes;
      begin();
    }
  }
}

/** What one holder has of a budget. */
export class ByteRoom {
  held = 0;

  constructor(
    private readonly budget: ByteBudget,
    private readonly ownMax: number,
  ) {}

  /** Waits for so many bytes. False when `signal` aborted before: then there are none. */
  take(bytes: number, signal?: AbortSignal): Promise<boolean> {
    return this.budget.take(this, bytes, signal);
  }

  /** So many bytes more, also where there is no room: for what has to come in before anything can go out. */
  force(bytes: number): void {
    const common = this.commonOf(bytes);
    this.held += bytes;
    this.budget.force(common);
  }

  give(bytes: number): void {
    const common = Math.max(0, this.held - this.ownMax) - Math.max(0, this.held - bytes - this.ownMax);
    this.held -= bytes;
    this.budget.give(common);
  }

  /** How much of so many bytes more is of the common part. */
  commonOf(bytes: number): number {
    return Math.max(0, this.held + bytes - this.ownMax) - Math.max(0, this.held - this.ownMax);
  }
}
