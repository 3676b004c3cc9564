import { groupBy, type History } from './history.js';
import type { Arrival, Outcome, SentEvent, Wish } from './lines.js';
import { obligationOf } from './suppression.js';

export interface Violation {
  rule: string;
  /** When it showed. */
  at: number;
  says: string;
  /** The event that it is about, if it is about one. */
  event?: string;
  /** The workspace, if it is about code or a user. */
  workspace?: string;
  user?: string;
}

const END = Number.POSITIVE_INFINITY;

/** Nothing arrives that nobody sent, and nothing at a destination of somebody else. */
export function nothingInvented(history: History): Violation[] {
  return history.arrivals.flatMap((arrival) => {
    const event = history.eventOf(arrival.id);
    const violation = { rule: 'nothing invented', at: arrival.at, event: arrival.id };
    if (!event || event.askedAt > arrival.at) return [{ ...violation, says: 'it arrived, and nobody had sent it' }];
    if (event.workspace !== arrival.workspace) return [{ ...violation, says: 'it arrived in another workspace' }];
    return [];
  });
}

/** Every acknowledged event reaches the destination, or ends as its sender wished, or nobody may see it. */
export function nothingLost(history: History): Violation[] {
  return history.events.flatMap((event) => {
    if (event.answeredAt === undefined || obligationOf(history, event) !== 'must') return [];
    const says = wrongEnd(event, history.arrivalsOf(event.id), history.outcomeOf(event.id));
    return says ? [{ rule: 'nothing lost', at: event.answeredAt, event: event.id, says }] : [];
  });
}

const STATUS: Record<Exclude<Wish, 'pass'>, string> = { drop: 'dropped_by_code', fail: 'dead', filter: 'filtered' };

function wrongEnd({ wish }: SentEvent, arrivals: readonly Arrival[], outcome?: Outcome): string | undefined {
  if (wish === 'pass') {
    if (arrivals.some(({ isTaken }) => isTaken)) return undefined;
    if (outcome?.status === 'dead') return outcome.reason ? undefined : 'it is dead without a reason';
    return `it was acknowledged, and no destination took it; Weir says ${outcome?.status ?? 'nothing'}`;
  }
  if (arrivals.length > 0) return `it arrived, and it should have been ${STATUS[wish]}`;
  if (wish === 'fail' && !outcome?.reason) return 'its code fails, and no dead letter tells of it';
  // Traces are kept as well as the database allows. Without one, or without its last step, an event that was to vanish has vanished.
  if (outcome && outcome.status !== 'under_way' && outcome.status !== STATUS[wish])
    return `it should have been ${STATUS[wish]} and is ${outcome.status}`;
  return undefined;
}

/** No event of a suppressed user arrives if its intake began after the answer. */
export function nothingSuppressedArrives(history: History): Violation[] {
  return history.arrivals.flatMap(({ id, at }) => {
    const event = history.eventOf(id);
    if (!event || obligationOf(history, event) !== 'must not') return [];
    return [{ rule: 'nothing suppressed arrives', at, event: id, says: 'its user was suppressed before it was sent' }];
  });
}

/** Once a destination was asked to erase a user, nothing that was sent before comes after. */
export function nothingErasedComesBack(history: History): Violation[] {
  return history.arrivals.flatMap(({ id, at, destination }) => {
    const event = history.eventOf(id);
    const erased = event && history.erasuresOf(event).find((one) => one.destination === destination && one.at < at);
    if (!erased || event.askedAt > erased.at) return [];
    return [{ rule: 'nothing erased comes back', at, event: id, says: 'its user had been erased there' }];
  });
}

/**
 * An event that was acknowledged arrives before an event of the same user and source whose sending began later. Attempts that
 * overlap have no order, so a sender's own retries are never blamed on the receiver.
 */
export function nothingOvertaken(history: History): Violation[] {
  const streams = groupBy(firstArrivals(history), ({ event, arrival }) =>
    [event.source, event.user, arrival.destination].join(' '),
  );
  return [...streams.values()].flatMap((stream) => {
    let newest: SentEvent | undefined;
    return stream.flatMap(({ event, arrival }) => {
      const overtaker = newest && newest.askedAt > (event.answeredAt ?? END) ? newest : undefined;
      if (!newest || event.askedAt > newest.askedAt) newest = event;
      if (!overtaker) return [];
      return [{ rule: 'nothing overtaken', at: arrival.at, event: event.id, says: `${overtaker.id} came before it` }];
    });
  });
}

function firstArrivals(history: History): { event: SentEvent; arrival: Arrival }[] {
  const seen = new Set<string>();
  return history.arrivals.flatMap((arrival) => {
    const event = history.eventOf(arrival.id);
    const key = `${arrival.destination} ${arrival.id}`;
    if (!event || seen.has(key)) return [];
    seen.add(key);
    return [{ event, arrival }];
  });
}

/** Statistics count every event that got through once. They never count what was not sent yet, and never forget. */
export function countedOnce(history: History): Violation[] {
  const events = groupBy(history.events, ({ source, user }) => `${source} ${user}`);
  const greatest = new Map<string, number>();
  const reads = history.all('count').sort((a, b) => a.askedAt - b.askedAt);
  return reads.flatMap(({ source, user, count, isFinal, askedAt, answeredAt }) => {
    const key = `${source} ${user}`;
    const begun = (events.get(key) ?? []).filter((event) => event.askedAt < answeredAt);
    const max = begun.filter((event) => obligationOf(history, event) !== 'must not').length;
    const isDue = (event: SentEvent) => event.answeredAt !== undefined && obligationOf(history, event) === 'must';
    const min = isFinal ? begun.filter(isDue).length : (greatest.get(key) ?? 0);
    greatest.set(key, Math.max(count, greatest.get(key) ?? 0));
    if (count >= min && count <= max) return [];
    const workspace = begun[0]?.workspace ?? '';
    const says = `${count} events of ${user} are counted for source ${source}, and it has to be ${min} to ${max}`;
    return [{ rule: 'counted once', at: askedAt, workspace, user, says }];
  });
}

const TERMINAL = ['complete', 'aborted', 'not_supported', 'partial', 'forwarded', 'canceled'];

/** Every deletion that was answered ends, with a receipt or with a reason. */
export function deletionsEnd(history: History): Violation[] {
  return history.all('suppression').flatMap(({ deletes, regulation, workspace, user, answeredAt }) => {
    if (!deletes || !regulation || answeredAt === undefined) return [];
    const end = history.deletionOf(regulation);
    const violation = { rule: 'deletions end', at: answeredAt, workspace, user };
    if (!end || !TERMINAL.includes(end.status))
      return [{ ...violation, says: `deletion ${regulation} is ${end?.status ?? 'unknown'}: ${end?.reason ?? ''}` }];
    if (end.hasReceipt || end.reason || end.status === 'canceled') return [];
    return [{ ...violation, says: `deletion ${regulation} is ${end.status} without receipt or reason` }];
  });
}

/** Within this time, a publish is live for what is sent. */
const LIVE_WITHIN_MS = 1_000;
/** After a fault that separates processes, they have reconnected and asked again within this time. */
const REUNITED_WITHIN_MS = 10_000;

/**
 * A read of the live version returns a published one, and none that an answered publish has replaced. A deliverer that cannot
 * reach the registry goes on with the version that it knows (docs/architecture.md, section 7).
 */
export function oneVersionLive(history: History): Violation[] {
  const reads = history.all('version').flatMap(({ workspace, version, askedAt, answeredAt }) => {
    if (couldBeLive(history, { workspace, version, from: askedAt, to: answeredAt })) return [];
    return [
      { rule: 'one version live', at: answeredAt, workspace, says: `version ${version} was read as the live one` },
    ];
  });
  const arrivals = history.arrivals.flatMap(({ workspace, version = 0, id, at }) => {
    const from = heardAllSince(history, (history.eventOf(id)?.askedAt ?? at) - LIVE_WITHIN_MS);
    if (couldBeLive(history, { workspace, version, from, to: at })) return [];
    return [{ rule: 'one version live', at, workspace, event: id, says: `version ${version} changed it` }];
  });
  return [...reads, ...arrivals];
}

/** A time before which every process had heard of every publish, although some were separated just then. */
function heardAllSince(history: History, time: number): number {
  const faults = history.all('fault').filter(({ separates }) => separates);
  const during = faults.filter(({ at, until }) => at - LIVE_WITHIN_MS <= time && time <= until + REUNITED_WITHIN_MS);
  const earliest = Math.min(time, ...during.map(({ at }) => at - LIVE_WITHIN_MS));
  return earliest < time ? heardAllSince(history, earliest) : time;
}

interface Span {
  workspace: string;
  version: number;
  from: number;
  to: number;
}

/** A publish without an answer may take effect at any time after it was asked. */
function couldBeLive(history: History, { workspace, version, from, to }: Span): boolean {
  const publishes = history.publishesOf(workspace);
  return publishes.some((publish, n) => {
    if (publish.version !== version || publish.askedAt > to) return false;
    const isReplaced = publishes.slice(n + 1).some(({ answeredAt }) => (answeredAt ?? END) < from);
    return publish.answeredAt === undefined || !isReplaced;
  });
}
