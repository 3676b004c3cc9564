/**
 * Decides which share of a source's events is traced, so that all sources together stay near a number of events per second. Sources
 * with few events are traced whole. The others share what is left in equal parts.
 */
export class TraceBudget {
  private second = 0;
  private before = new Map<string, number>();
  private counts = new Map<string, number>();
  /** Events per second of one source that the budget has room for. */
  private level: number;

  /** @param eventsPerSecond 0 traces nothing */
  constructor(private readonly eventsPerSecond: number) {
    this.level = eventsPerSecond;
  }

  /** The share, 0 to 1, in which the next `events` of the source are traced. `now` is in milliseconds since the epoch. */
  shareOf(sourceId: string, events: number, now = Date.now()): number {
    this.turn(Math.floor(now / 1_000));
    const count = (this.counts.get(sourceId) ?? 0) + events;
    this.counts.set(sourceId, count);
    const rate = Math.max(count, this.before.get(sourceId) ?? 0);
    return Math.round(Math.min(1, this.level / rate) * 1_000) / 1_000;
  }

  private turn(second: number): void {
    if (second === this.second) return;
    this.before = second === this.second + 1 ? this.counts : new Map();
    this.counts = new Map();
    this.second = second;
    this.level = levelOf([...this.before.values()], this.eventsPerSecond);
  }
}

/** The rate up to which a source is traced whole, if sources with these rates and a busy newcomer share the budget (max-min). */
export function levelOf(rates: readonly number[], budget: number): number {
  let left = budget;
  const rising = [...rates].sort((a, b) => a - b);
  for (const [at, rate] of rising.entries()) {
    const fair = left / (rising.length - at);
    if (rate > fair) return fair;
    left -= rate;
  }
  return Math.max(left, rising.at(-1) ?? 0);
}
