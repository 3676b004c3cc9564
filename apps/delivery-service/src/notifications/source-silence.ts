/** The known silences of a source. */
export interface SourceSilence {
  sourceId: string;
  workspaceId: string;
  watchedSince: Date;
  /** Intake of its last event. */
  lastSeen: Date;
  /** The longest silence in seconds, by the day on which it ended. */
  longest: Record<string, number>;
}

/** Days that say what is usual. Two weeks hold two weekends. */
const DAYS_KEPT = 14;
/** Before this, nobody knows what is usual. */
const DAYS_WATCHED_MIN = 3;
/** A silence counts beyond this multiple of the longest usual one. */
const BEYOND_USUAL = 1.5;
/** Shorter silences are nothing to wake somebody for. */
const SILENCE_SECONDS_MIN = 3_600;
const DAY_MS = 86_400_000;

/** The source after a look found its last event at `lastSeen`. Pure. */
export function afterLook(before: SourceSilence, lastSeen: Date, now: Date): SourceSilence {
  if (lastSeen <= before.lastSeen) return before;
  const day = lastSeen.toISOString().slice(0, 10);
  const seconds = Math.round((lastSeen.getTime() - before.lastSeen.getTime()) / 1_000);
  const oldest = new Date(now.getTime() - DAYS_KEPT * DAY_MS).toISOString().slice(0, 10);
  const kept = Object.entries(before.longest).filter(([each]) => each >= oldest);
  const longest = { ...Object.fromEntries(kept), [day]: Math.max(seconds, before.longest[day] ?? 0) };
  return { ...before, lastSeen, longest };
}

/** Whether the source has been silent for longer than usual. Pure. */
export function isSilent({ watchedSince, lastSeen, longest }: SourceSilence, now: Date): boolean {
  if (now.getTime() - watchedSince.getTime() < DAYS_WATCHED_MIN * DAY_MS) return false;
  const usual = Math.max(0, ...Object.values(longest)) * BEYOND_USUAL;
  return (now.getTime() - lastSeen.getTime()) / 1_000 > Math.max(SILENCE_SECONDS_MIN, usual);
}
