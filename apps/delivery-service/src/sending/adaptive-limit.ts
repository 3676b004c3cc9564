import pLimit, { type LimitFunction } from 'p-limit';
import type { FairPool } from '../queues/fair-pool.js';
import type { DestinationRef } from '../units/delivery-unit.js';

/** Attempts that every destination may have under way, whatever others do. */
export const BASE_SLOTS = 16;
/** Part of a change that takes effect per answer. */
const SMOOTHING = 0.2;
/** Attempts that the destination may queue. The limit grows by these while answers are as quick as usual. */
const QUEUED = 4;
/** An answer may take this many times as long as usual before the limit stops to grow. */
const TOLERANCE = 1.5;
/** One slow answer halves the limit at most, before smoothing. */
const GRADIENT_MIN = 0.5;
/** Answers over which the usual time is averaged. */
const USUAL_ANSWERS = 600;
/** The share of the limit that remains after a failure. */
const BACK_OFF = 0.9;
/** Shorter times are noise of the clock. */
const ANSWER_MS_MIN = 1;

export interface AdaptiveLimitOptions {
  owner: DestinationRef;
  /** Slots beyond {@link BASE_SLOTS}, shared by all destinations of the process. */
  pool: FairPool;
  slotsMax: number;
  /** Slots on top of all others, for payloads that wait until a batch is full. */
  gathered: number;
}

/**
 * Bounds the attempts that are under way to one destination, and follows what it takes. The limit grows while answers stay as
 * quick as usual, and shrinks when they get slower: the gradient of Netflix's `concurrency-limits` (Gradient2). A failure that
 * says that the destination is overloaded takes a tenth, as with additive increase and multiplicative decrease.
 */
export class AdaptiveLimit {
  private readonly limit: LimitFunction;
  private readonly base: number;
  private estimate: number;
  private extras = 0;
  private usualMs = 0;
  private answers = 0;

  constructor(private readonly options: AdaptiveLimitOptions) {
    this.base = Math.min(BASE_SLOTS, options.slotsMax);
    this.estimate = this.base;
    this.limit = pLimit(this.base + options.gathered);
  }

  /** Attempts that may be under way now, without those that wait for a batch. */
  get slots(): number {
    return this.limit.concurrency - this.options.gathered;
  }

  /** Runs the attempt once there is a slot, in the order of the calls. */
  async run<T>(attempt: () => Promise<T>): Promise<T> {
    try {
      return await this.limit(attempt);
    } finally {
      if (this.limit.activeCount + this.limit.pendingCount === 0) this.release();
    }
  }

  /** The destination answered, and took this long. */
  answered(ms: number): void {
    const took = Math.max(ANSWER_MS_MIN, ms);
    this.answers = Math.min(this.answers + 1, USUAL_ANSWERS);
    this.usualMs += (took - this.usualMs) / this.answers;
    if (this.limit.activeCount < this.estimate / 2) return; // something else bounds the rate
    const gradient = Math.min(1, Math.max(GRADIENT_MIN, (TOLERANCE * this.usualMs) / took));
    const next = this.estimate * (1 - SMOOTHING) + (this.estimate * gradient + QUEUED) * SMOOTHING;
    this.change(Math.max(Math.min(this.base, this.estimate), next));
  }

  /** The destination failed, or asked for less. */
  failed(): void {
    this.change(this.estimate * BACK_OFF);
  }

  /** Gives back what others share. The next load starts from the base. */
  release(): void {
    this.change(Math.min(this.estimate, this.base));
  }

  private change(next: number): void {
    const { owner, pool, slotsMax, gathered } = this.options;
    this.estimate = Math.min(slotsMax, Math.max(1, next));
    const wanted = Math.max(0, Math.floor(this.estimate) - this.base);
    while (this.extras < wanted && pool.tryTake(owner, 1)) this.extras += 1;
    if (this.extras > wanted) pool.give(owner, this.extras - wanted);
    this.extras = Math.min(this.extras, wanted);
    this.estimate = Math.min(this.estimate, this.base + this.extras + 1);
    this.limit.concurrency = Math.min(Math.floor(this.estimate), this.base + this.extras) + gathered;
  }
}
