import type { StreamMessage } from '@weir/messaging';

/** Says which destinations of a batch have it, and which need it from the log. Acknowledges it once none does any more. */
export class Ticket {
  /** Destinations that have it neither in memory nor in their queue. */
  private readonly waiting: Set<string>;
  private readonly needing: Set<string>;

  /** @param ended called with the acknowledgement */
  constructor(
    /** The latest copy. A consumer that was made anew delivers another one, and an answer about the former says nothing to it. */
    public message: StreamMessage,
    /** Numbers of a stream that was made anew may come again, and then name another batch. */
    readonly batchId: string,
    destinationIds: readonly string[],
    /** In which share the source was traced at the time. */
    readonly traceShare: number,
    private readonly ended: () => void,
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
    if (!this.needing.delete(destinationId) || this.needing.size > 0) return;
    this.ended();
    this.message.ack();
  }
}
