import type { Lease, StreamMessage } from '@weir/messaging';
import { type Shelf, shelvesOf } from './shelves.js';

/** Bytes of a partition that make a segment at once. Larger segments save requests, smaller ones memory. */
const BYTES_MAX = 4_194_304;
/** Messages that make a segment at once: half of what the consumer hands out, so that the next ones come meanwhile. */
const MESSAGES_MAX = 512;
const RETRY_MS_MIN = 1_000;
const RETRY_MS_MAX = 30_000;

/** Stores messages of one shelf. Rejects if the store does not have them all. */
export type Store = (shelf: Shelf) => Promise<void>;

/** Messages of one partition that wait to be stored. The broker keeps them until they are acknowledged. */
export class PartitionBuffer {
  private messages: StreamMessage[] = [];
  private bytesWaiting = 0;
  private since = 0;
  private failures = 0;
  private retryAt = 0;
  private storing: Promise<void> | undefined;

  constructor(
    readonly lease: Lease,
    private readonly segmentMs: number,
  ) {}

  get bytes(): number {
    return this.bytesWaiting;
  }

  add(message: StreamMessage): void {
    if (this.messages.length === 0) this.since = performance.now();
    this.messages.push(message);
    this.bytesWaiting += message.data.length;
    message.keep();
  }

  /** Whether something waits that should be stored now: because of its age, its size, or because memory is short. */
  isDue(isShort: boolean): boolean {
    const now = performance.now();
    if (this.storing || this.messages.length === 0 || now < this.retryAt) return false;
    const isFull =
      this.bytesWaiting >= BYTES_MAX || new Set(this.messages.map(({ sequence }) => sequence)).size >= MESSAGES_MAX;
    return isShort || isFull || this.failures > 0 || now - this.since >= this.segmentMs;
  }

  /** Stores what waits, shelf by shelf, and acknowledges it. What fails waits for another try. */
  store(store: Store): Promise<void> {
    this.storing ??= this.storeAll(store).finally(() => {
      this.storing = undefined;
    });
    return this.storing;
  }

  /** Resolves when nothing is being stored. */
  async idle(): Promise<void> {
    await this.storing?.catch(() => undefined);
  }

  private async storeAll(store: Store): Promise<void> {
    const taken = this.messages;
    this.messages = [];
    const left: StreamMessage[] = [];
    let failure: unknown;
    for (const shelf of shelvesOf(taken)) {
      const { messages } = shelf;
      try {
        this.lease.assertHeld();
        await store(shelf);
        for (const message of messages) message.ack();
        this.bytesWaiting -= bytesOf(messages);
      } catch (error) {
        left.push(...messages);
        failure = error;
      }
    }
    this.messages = [...left, ...this.messages];
    this.since = performance.now();
    this.failures = failure === undefined ? 0 : this.failures + 1;
    this.retryAt = failure === undefined ? 0 : performance.now() + retryMs(this.failures);
    if (failure !== undefined) throw failure;
  }
}

const bytesOf = (messages: readonly StreamMessage[]): number =>
  messages.reduce((sum, { data }) => sum + data.length, 0);

const retryMs = (failures: number): number => Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** (failures - 1));
