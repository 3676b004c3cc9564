/** Caches facts about vendor accounts for a limited time. Drops the oldest entry first. */
export class TimedMap<V> {
  private readonly entries = new Map<string, { value: V; untilMs: number }>();

  constructor(
    private readonly keptMs: number,
    private readonly entriesMax: number,
  ) {}

  get(key: string, nowMs: number): V | undefined {
    const found = this.entries.get(key);
    return found && found.untilMs > nowMs ? found.value : undefined;
  }

  set(key: string, value: V, nowMs: number): void {
    this.entries.delete(key);
    this.entries.set(key, { value, untilMs: nowMs + this.keptMs });
    for (const oldest of this.entries.keys()) if (this.entries.size > this.entriesMax) this.entries.delete(oldest);
  }
}
