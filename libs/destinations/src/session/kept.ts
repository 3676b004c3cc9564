/** One connection. Opens on first use, and again after a loss. */
export class Kept<T> {
  private current: Promise<T> | undefined;
  private isClosed = false;

  /** `open` calls `lost` when the connection ends by itself. `end` may reject. */
  constructor(
    private readonly open: (lost: () => void) => Promise<T>,
    private readonly end: (connection: T) => Promise<unknown>,
  ) {}

  async get(): Promise<T> {
    if (this.isClosed) throw new Error('the session is closed');
    this.current ??= this.begin();
    return this.current;
  }

  /** Ends the connection. The next caller gets a new one. Never rejects. */
  async drop(): Promise<void> {
    const ended = this.current;
    this.current = undefined;
    await ended?.then(this.end).catch(() => undefined);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.drop();
  }

  private begin(): Promise<T> {
    // The end of an earlier connection must not remove a later one.
    const forget = () => {
      if (this.current === opening) this.current = undefined;
    };
    const opening = this.open(forget);
    opening.catch(forget);
    return opening;
  }
}
