/** Says which destinations of a batch have it, and which need it from the log. */
export class Ticket {
  /** Destinations that have it neither in memory nor in their queue. */
  private readonly waiting: Set<string>;
  private readonly needing: Set<string>;

  /** @param end called once no destination needs the batch from the log any more */
  constructor(
    destinationIds: readonly string[],
    /** In which share the source was traced at the time. */
    readonly traceShare: number,
    private readonly end: () => void,
  ) {
    this.waiting = new Set(destinationIds);
    this.needing = new Set(destinationIds);
  }

  get toHandOver(): readonly string[] {
    return [...this.waiting];
  }

  /** Whether every destination has the batch. It need not be handed over again. */
  get isTaken(): boolean {
    return this.waiting.size === 0;
  }

  handlesOf(destinationId: string): { taken: () => void; settled: () => void } {
    return { taken: () => this.waiting.delete(destinationId), settled: () => this.settle(destinationId) };
  }

  settle(destinationId: string): void {
    this.waiting.delete(destinationId);
    if (this.needing.delete(destinationId) && this.needing.size === 0) this.end();
  }
}
