interface Waiting {
  account: ByteAccount;
  bytes: number;
  begin: () => void;
}

/**
 * Limits the bytes that a process holds at a time. Each holder also has a small reserve of its own, so that no backlog takes
 * everything. Holders that wait for the common part are served in the order of their requests.
 */
export class BytePool {
  private used = 0;
  private readonly waiting = new Set<Waiting>();

  constructor(private readonly commonMax: number) {}

  /** Creates an account for one holder. `ownMax` bytes are reserved for it. */
  account(ownMax = 0): ByteAccount {
    return new ByteAccount(this, ownMax);
  }

  /** Free bytes of the common part. */
  get free(): number {
    return this.commonMax - this.used;
  }

  /** @internal Whether this much of the common part would be granted at once. */
  isFree(common: number): boolean {
    return this.waiting.size === 0 && common <= this.free;
  }

  /** @internal Resolves to true when the account got the bytes, or to false, without them, when `signal` aborts. */
  async take(account: ByteAccount, bytes: number, signal?: AbortSignal): Promise<boolean> {
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
      const waiting = { account, bytes, begin };
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
    let isTaken = false; // an earlier waiter needs the common part and has to wait
    for (const waiting of this.waiting) {
      const { account, bytes, begin } = waiting;
      const common = account.commonOf(bytes);
      // a request above the limit is granted when nobody holds anything, otherwise it would wait forever
      const fits = common === 0 || (!isTaken && (common <= this.free || this.used === 0));
      if (!fits) {
        isTaken = true;
        continue;
      }
      this.waiting.delete(waiting);
      this.used += common;
      account.held += bytes;
      begin();
    }
  }
}

/** The bytes that one holder has taken from a pool. */
export class ByteAccount {
  held = 0;

  constructor(
    private readonly pool: BytePool,
    private readonly ownMax: number,
  ) {}

  /** Waits for the bytes. Resolves to false, without them, when `signal` aborts first. */
  take(bytes: number, signal?: AbortSignal): Promise<boolean> {
    return this.pool.take(this, bytes, signal);
  }

  /** Whether a request for these bytes would be granted at once. */
  isFree(bytes: number): boolean {
    return this.pool.isFree(this.commonOf(bytes));
  }

  /** Takes the bytes even without room. For data that must come in before anything can go out. */
  force(bytes: number): void {
    const common = this.commonOf(bytes);
    this.held += bytes;
    this.pool.force(common);
  }

  give(bytes: number): void {
    const common = Math.max(0, this.held - this.ownMax) - Math.max(0, this.held - bytes - this.ownMax);
    this.held -= bytes;
    this.pool.give(common);
  }

  /** How many of these additional bytes come from the common part. */
  commonOf(bytes: number): number {
    return Math.max(0, this.held + bytes - this.ownMax) - Math.max(0, this.held - this.ownMax);
  }
}
