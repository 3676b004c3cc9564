import { retryDelayMs } from './backoff.js';

/** Failures in a row, over all users of a destination, after which it is taken to be down. */
const FAILURES_MAX = 10;
/** A destination that is down, or asks for quiet, is tried with one event this often at least. */
const PAUSE_MAX_MS = 60_000;
/** Longer timers fire at once. */
const TIMER_MAX_MS = 2_147_483_647;

/** `free`: nothing is wrong. `probe`: the one attempt that decides. `late`: nothing passed in time. */
export type Pass = 'free' | 'probe' | 'late';

/**
 * Stands before one destination. After several failures in a row, or when the destination asks for quiet, nothing passes for
 * a while; then one attempt does, and its outcome decides for all.
 */
export class Breaker {
  private failures = 0;
  private openings = 0;
  /** While it is open nothing passes before this, in milliseconds of the clock. */
  private quietUntil = 0;
  private isOpen = false;
  private isProbing = false;
  private readonly waiting = new Set<() => void>();

  constructor(
    private readonly now: () => number = Date.now,
    private readonly random: () => number = Math.random,
  ) {}

  /** Waits until an attempt may begin, as long as patience lasts. Rejects when stopped. Who passed reports what came of it. */
  async pass(patienceMs: number, signal: AbortSignal): Promise<Pass> {
    const end = this.now() + patienceMs;
    for (;;) {
      signal.throwIfAborted();
      if (!this.isOpen) return 'free';
      const now = this.now();
      if (!this.isProbing && now >= this.quietUntil) {
        this.isProbing = true;
        return 'probe';
      }
      if (now >= end) return 'late';
      await this.wait((this.isProbing ? end : Math.min(end, this.quietUntil)) - now, signal);
    }
  }

  succeeded(): void {
    this.failures = 0;
    this.openings = 0;
    if (this.isOpen) this.change(false);
  }

  /** `quietMs`: how long the destination asked to be left alone. */
  failed(pass: Pass, quietMs?: number): void {
    const isProbe = pass === 'probe';
    // what began before it opened says nothing new, unless the destination asks for quiet
    if (this.isOpen && !isProbe && quietMs === undefined) return;
    this.failures += 1;
    if (quietMs === undefined && !isProbe && this.failures < FAILURES_MAX) return;
    this.openings += 1;
    const pauseMs = Math.min(PAUSE_MAX_MS, quietMs ?? retryDelayMs(this.openings, 0, this.random));
    this.quietUntil = Math.max(this.quietUntil, this.now() + pauseMs);
    if (isProbe || !this.isOpen) this.change(true);
  }

  /** The attempt has ended. Without a word from the destination, the next one may find out. */
  ended(pass: Pass): void {
    if (pass === 'probe' && this.isProbing) this.change(true);
  }

  private change(isOpen: boolean): void {
    this.isOpen = isOpen;
    this.isProbing = false;
    for (const wake of [...this.waiting]) wake();
  }

  private wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        this.waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(ms, TIMER_MAX_MS));
      signal.addEventListener('abort', wake);
      this.waiting.add(wake);
    });
  }
}
