/** How many events had a path, and when. A model keeps these facts when its versions are removed. */
export interface KeyFacts {
  events: number;
  /** Number of events by type. */
  types: Record<string, number>;
  /** RFC 3339 in UTC with microseconds, so it sorts as text. */
  firstSeen: string;
  lastSeen: string;
}

export interface CountedVersion {
  schema: Record<string, string>;
  count: number;
  firstSeen: string;
  lastSeen: string;
}

/** Adds a version's counts for the paths that its model's schema describes. */
export function addFacts(
  facts: Map<string, KeyFacts>,
  { schema, count, firstSeen, lastSeen }: CountedVersion,
  isDescribed: (path: string) => boolean,
): void {
  for (const [path, types] of Object.entries(schema)) {
    if (!isDescribed(path)) continue;
    const known = facts.get(path) ?? { events: 0, types: {}, firstSeen, lastSeen };
    known.events += count;
    if (firstSeen < known.firstSeen) known.firstSeen = firstSeen;
    if (lastSeen > known.lastSeen) known.lastSeen = lastSeen;
    for (const type of types.split(',')) known.types[type] = (known.types[type] ?? 0) + count;
    facts.set(path, known);
  }
}
