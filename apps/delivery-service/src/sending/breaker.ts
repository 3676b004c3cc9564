import { retryDelayMs } from './backoff.js';

/** Consecutive failures, over all users, after which a destination counts as down. */
const FAILURES_MAX = 10;
/** Longest pause between probes of a destination that is down or asks for quiet. */
const PAUSE_MAX_MS = 60_000;
/** Node.js fires longer timers immediately. */
const TIMER_MAX_MS = 2_147_483_647;

/** `free`: the breaker is closed. `probe`: this attempt decides for all. `late`: patience ran out. */
export type Pass = 'free' | 'probe' | 'late';

/**
 * Circuit breaker of one destination. Opens after several consecutive failures, or when the destination asks for quiet. After a
 * pause, one probe passes and its outcome decides for all.
 */
export class Breaker {
  private failures = 0;
  private openings = 0;
  /** While the breaker is open, nothing passes before this time of `performance.now()`. A clock may be set back. */
  private quietUntil = 0;
  private isOpen = false;
  private isProbing = false;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly random: () => number = Math.random) {}

  /**
   * Waits until an attempt may begin or patience runs out. Rejects when the signal aborts. A caller that passed must report its
   * outcome.
   */
  async pass(patienceMs: number, signal: AbortSignal): Promise<Pass> {
    const end = performance.now() + patienceMs;
    for (;;) {
      signal.throwIfAborted();
      if (!this.isOpen) return 'free';
      const now = performance.now();
      if (!this.isProbing && now >= this.quietUntil) {
        this.isProbing = true;
        return 'probe';
      }
      if (now >= end) return 'late';
      await this.wait((this.isProbing ? end : Math.min(end, this.quietUntil)) - now, signal);
    }
  }

  /** Whether the destination counts as down. */
  get open(): boolean {
    return this.isOpen;
  }

  succeeded(): void {
    this.failures = 0;
    this.openings = 0;
    if (this.isOpen) this.change(false);
  }

  /** `quietMs` is the pause that the destination requested. */
  failed(pass: Pass, quietMs?: number): void {
    const isProbe = pass === 'probe';
    // an attempt that began before the breaker opened says nothing new, unless the destination asks for quiet
    if (this.isOpen && !isProbe && quietMs === undefined) return;
    this.failures += 1;
    if (quietMs === undefined && !isProbe && this.failures < FAILURES_MAX) return;
    this.openings += 1;
    const pauseMs = Math.min(PAUSE_MAX_MS, quietMs ?? retryDelayMs(this.openings, 0, this.random));
    this.quietUntil = Math.max(this.quietUntil, performance.now() + pauseMs);
    if (isProbe || !this.isOpen) this.change(true);
  }

  /** Marks the end of an attempt. If the probe ended without an answer, the next attempt becomes the probe. */
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
