import type { JsonObject } from '@weir/contracts';
import { SAMPLE_BYTES_MAX, SAMPLES_MAX } from './limits.js';

/** A whole event as JSON text, because jsonb cannot hold U+0000. */
type Sampled = [priority: number, event: string];

/**
 * A uniform sample: each event draws a random priority, and the highest SAMPLES_MAX stay. Samples of increments merge by the same
 * rule, which the skip counts of Algorithm L do not allow. Only winners are serialised.
 */
export class EventSample {
  private events: Sampled[] = [];

  /** @param floor Events with a priority up to this cannot win, because the stored sample is full of higher ones. */
  constructor(
    private readonly random: () => number = Math.random,
    private readonly floor = 0,
  ) {}

  offer(event: JsonObject): void {
    const priority = this.random();
    if (priority <= Math.max(this.floor, this.lowest)) return;
    const text = JSON.stringify(event);
    if (Buffer.byteLength(text) <= SAMPLE_BYTES_MAX) this.keep([[priority, text]]);
  }

  merge(other: EventSample): void {
    if (other.events.length > 0) this.keep(other.events);
  }

  list(): JsonObject[] {
    return this.events.map(([, text]) => JSON.parse(text));
  }

  /** Highest first. */
  get priorities(): number[] {
    return this.events.map(([priority]) => priority);
  }

  /** The priority that the next event must exceed. */
  get lowest(): number {
    return this.events.length < SAMPLES_MAX ? 0 : (this.events.at(-1)?.[0] ?? 0);
  }

  encode(): string {
    return JSON.stringify(this.events);
  }

  static decode(text: string): EventSample {
    const sample = new EventSample();
    sample.events = JSON.parse(text);
    return sample;
  }

  private keep(added: Sampled[]): void {
    this.events = [...this.events, ...added].sort(([left], [right]) => right - left).slice(0, SAMPLES_MAX);
  }
}

/** The stored sample without the events that `shouldForget` selects. Undefined if it selects none. */
export function withoutSampled(text: string, shouldForget: (event: JsonObject) => boolean): string | undefined {
  const events = JSON.parse(text) as Sampled[];
  const left = events.filter(([, event]) => !shouldForget(JSON.parse(event)));
  return left.length < events.length ? JSON.stringify(left) : undefined;
}

export const holdsSampled = (text: string, isWanted: (event: JsonObject) => boolean): boolean =>
  (JSON.parse(text) as Sampled[]).some(([, event]) => isWanted(JSON.parse(event)));
