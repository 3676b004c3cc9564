import { History } from './history.js';
import { type Line, type SentEvent, timeOf } from './lines.js';
import {
  countedOnce,
  deletionsEnd,
  nothingErasedComesBack,
  nothingInvented,
  nothingLost,
  nothingOvertaken,
  nothingSuppressedArrives,
  oneVersionLive,
  type Violation,
} from './rules.js';
import { obligationOf } from './suppression.js';

const RULES = [
  nothingInvented,
  nothingLost,
  nothingSuppressedArrives,
  nothingErasedComesBack,
  nothingOvertaken,
  countedOnce,
  deletionsEnd,
  oneVersionLive,
];

export interface Verdict {
  /** The earliest first. */
  violations: Violation[];
  /** Acknowledged events by what became of them. */
  fates: Record<string, number>;
  /** Deliveries beyond the first of an event. They are allowed. */
  repeated: number;
}

/** Judges a whole history. */
export function check(lines: readonly Line[]): Verdict {
  const history = new History(lines);
  const violations = RULES.flatMap((rule) => rule(history)).sort((a, b) => a.at - b.at);
  const fates: Record<string, number> = {};
  for (const event of history.events) {
    if (event.answeredAt === undefined) continue;
    const fate = fateOf(history, event);
    fates[fate] = (fates[fate] ?? 0) + 1;
  }
  const taken = history.arrivals.filter(({ isTaken }) => isTaken);
  return { violations, fates, repeated: taken.length - new Set(taken.map(({ id }) => id)).size };
}

function fateOf(history: History, event: SentEvent): string {
  if (history.arrivalsOf(event.id).some(({ isTaken }) => isTaken)) return 'delivered';
  const outcome = history.outcomeOf(event.id);
  if (outcome) return outcome.status;
  // Traces are kept as well as the database allows.
  return obligationOf(history, event) === 'must' ? `${event.wish}, without a trace` : 'suppressed';
}

/** Everything about the event of a violation, in order of time: the event, its user's regulations, the code, and the faults. */
export function timelineOf(lines: readonly Line[], violation: Violation): string {
  const event = lines.find((line) => line.kind === 'event' && line.id === violation.event);
  const about = { ...violation, ...(event?.kind === 'event' && { workspace: event.workspace, user: event.user }) };
  const told = lines.filter((line) => concerns(line, about)).sort((a, b) => timeOf(a) - timeOf(b));
  const title = `${violation.rule}: ${violation.event ?? violation.user ?? violation.workspace}: ${violation.says}`;
  return [title, ...told.map((line) => `  ${Math.round(timeOf(line))} ${JSON.stringify(line)}`)].join('\n');
}

type About = Pick<Violation, 'event' | 'workspace' | 'user'>;

function concerns(line: Line, { event, workspace, user }: About): boolean {
  switch (line.kind) {
    case 'fault':
      return true;
    case 'event':
    case 'arrival':
    case 'outcome':
      return line.id === event;
    case 'suppression':
    case 'erasure':
      return line.workspace === workspace && line.user === user;
    case 'publish':
      return line.workspace === workspace;
    case 'count':
      return event === undefined && line.user === user;
    default:
      return false;
  }
}
