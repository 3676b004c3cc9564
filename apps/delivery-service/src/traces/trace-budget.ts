/** Rates of sources, by workspace. */
type Rates = Map<string, Map<string, number>>;

/**
 * Decides which share of a source's events is traced, so that all sources together stay near a number of events per second.
 * Workspaces share that number, and the sources of each share what it gets. Whoever has few events is traced whole, and the others
 * share what is left in equal parts.
 */
export class TraceBudget {
  private second = 0;
  private before: Rates = new Map();
  private counts: Rates = new Map();
  /** Events per second that one workspace has room for. */
  private level: number;
  /** Events per second that one source has room for, by workspace. */
  private readonly levels = new Map<string, number>();

  /** @param eventsPerSecond 0 traces nothing */
  constructor(private readonly eventsPerSecond: number) {
    this.level = eventsPerSecond;
  }

  /** The share, 0 to 1, in which the next `events` of the source are traced. `now` is in milliseconds since the epoch. */
  shareOf(
    { workspaceId, sourceId }: { workspaceId: string; sourceId: string },
    events: number,
    now = Date.now(),
  ): number {
    this.turn(Math.floor(now / 1_000));
    const counts = this.counts.get(workspaceId) ?? new Map<string, number>();
    this.counts.set(workspaceId, counts);
    const count = (counts.get(sourceId) ?? 0) + events;
    counts.set(sourceId, count);
    const rate = Math.max(count, this.before.get(workspaceId)?.get(sourceId) ?? 0);
    return Math.round(Math.min(1, this.levelIn(workspaceId) / rate) * 1_000) / 1_000;
  }

  private levelIn(workspaceId: string): number {
    const rates = [...(this.before.get(workspaceId)?.values() ?? [])];
    const level = this.levels.get(workspaceId) ?? levelOf(rates, Math.min(this.level, this.eventsPerSecond));
    this.levels.set(workspaceId, level);
    return level;
  }

  private turn(second: number): void {
    if (second === this.second) return;
    this.before = second === this.second + 1 ? this.counts : new Map();
    this.counts = new Map();
    this.levels.clear();
    this.second = second;
    const rates = [...this.before.values()].map((ofSources) =>
      [...ofSources.values()].reduce((sum, rate) => sum + rate, 0),
    );
    this.level = levelOf(rates, this.eventsPerSecond);
  }
}

/** The rate up to which somebody is traced whole, if all with these rates and a busy newcomer share the budget (max-min). */
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
