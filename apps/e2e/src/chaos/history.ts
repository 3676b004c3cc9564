/** An event as its sender saw it. Times are milliseconds of one clock. */
export interface SentEvent {
  id: string;
  user: string;
  /** When the first attempt began. */
  sentAt: number;
  /** When the intake answered 200. */
  takenAt: number;
}

/** An event that came in at the destination before one that it had to follow. */
export interface Overtaking {
  early: SentEvent;
  late: SentEvent;
}

export interface Verdict {
  /** Acknowledged events that never arrived. */
  lost: string[];
  /** First deliveries out of order. Each late event is named once, with the first that overtook it. */
  overtaken: Overtaking[];
  /** Deliveries beyond the first of an event. */
  repeated: number;
}

/**
 * Judges what a destination received, in order of arrival. Only one order is promised: an event that the intake answered for
 * comes before an event of the same user whose first attempt began after that answer. Attempts that overlap have no order,
 * so a sender's own retries are never blamed on the receiver.
 */
export function judge(sent: readonly SentEvent[], arrived: readonly string[]): Verdict {
  const first = new Map<string, number>();
  for (const [at, id] of arrived.entries()) if (!first.has(id)) first.set(id, at);
  const overtaken: Overtaking[] = [];
  for (const events of byUser(sent).values()) overtaken.push(...overtakenOf(events, first));
  return {
    lost: sent.filter(({ id }) => !first.has(id)).map(({ id }) => id),
    overtaken,
    repeated: arrived.length - first.size,
  };
}

function overtakenOf(events: readonly SentEvent[], first: ReadonlyMap<string, number>): Overtaking[] {
  const placeOf = ({ id }: SentEvent) => first.get(id) ?? Number.POSITIVE_INFINITY;
  const delivered = events.filter(({ id }) => first.has(id)).sort((a, b) => placeOf(a) - placeOf(b));
  return delivered.flatMap((late, at) => {
    const early = delivered.slice(0, at).find(({ sentAt }) => sentAt > late.takenAt);
    return early ? [{ early, late }] : [];
  });
}

function byUser(sent: readonly SentEvent[]): Map<string, SentEvent[]> {
  const users = new Map<string, SentEvent[]>();
  for (const event of sent) users.set(event.user, [...(users.get(event.user) ?? []), event]);
  return users;
}
