import type { Arrival, Deletion, Erasure, Lift, Line, Outcome, Publish, SentEvent, Suppression } from './lines.js';

type OfKind<K extends Line['kind']> = Extract<Line, { kind: K }>;

interface Person {
  workspace: string;
  user: string;
}

/** A history with the look-ups that the rules need. */
export class History {
  readonly events: readonly SentEvent[];
  /** In the order in which they came. */
  readonly arrivals: readonly Arrival[];
  private readonly byId: Map<string, SentEvent>;
  private readonly arrivalsById: Map<string, Arrival[]>;
  private readonly outcomes: Map<string, Outcome>;
  private readonly deletions: Map<string, Deletion>;
  private readonly lifts: Map<string, Lift>;
  private readonly suppressions: Map<string, Suppression[]>;
  private readonly publishes: Map<string, Publish[]>;
  private readonly erasures: Map<string, Erasure[]>;

  constructor(readonly lines: readonly Line[]) {
    this.events = this.all('event');
    this.arrivals = this.all('arrival').sort((a, b) => a.at - b.at);
    this.byId = new Map(this.events.map((event) => [event.id, event]));
    this.arrivalsById = groupBy(this.arrivals, ({ id }) => id);
    this.outcomes = new Map(this.all('outcome').map((outcome) => [outcome.id, outcome]));
    this.deletions = new Map(this.all('deletion').map((deletion) => [deletion.regulation, deletion]));
    this.lifts = new Map(this.all('lift').map((lift) => [lift.regulation, lift]));
    this.suppressions = groupBy(this.all('suppression'), keyOf);
    this.publishes = groupBy(this.all('publish'), ({ workspace }) => workspace);
    this.erasures = groupBy(this.all('erasure'), keyOf);
  }

  all<K extends Line['kind']>(kind: K): OfKind<K>[] {
    return this.lines.filter((line): line is OfKind<K> => line.kind === kind);
  }

  eventOf(id: string): SentEvent | undefined {
    return this.byId.get(id);
  }

  arrivalsOf(id: string): readonly Arrival[] {
    return this.arrivalsById.get(id) ?? [];
  }

  outcomeOf(id: string): Outcome | undefined {
    return this.outcomes.get(id);
  }

  deletionOf(regulation: string): Deletion | undefined {
    return this.deletions.get(regulation);
  }

  /** In the order in which they were asked for. */
  publishesOf(workspace: string): readonly Publish[] {
    return this.publishes.get(workspace) ?? [];
  }

  suppressionsOf(person: Person): readonly Suppression[] {
    return this.suppressions.get(keyOf(person)) ?? [];
  }

  erasuresOf(person: Person): readonly Erasure[] {
    return this.erasures.get(keyOf(person)) ?? [];
  }

  liftOf({ regulation }: Suppression): Lift | undefined {
    return regulation ? this.lifts.get(regulation) : undefined;
  }
}

const keyOf = ({ workspace, user }: Person): string => `${workspace} ${user}`;

export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
