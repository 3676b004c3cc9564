import { TROUBLES, type TroubleKind } from '@weir/contracts';

/** Something that is wrong now, or happened. The text of a message is made of this and nothing else. */
export interface FoundTrouble {
  workspaceId: string;
  kind: TroubleKind;
  resourceId: string;
  /** Percent from which a destination counts as failing. 0 for other kinds. */
  threshold?: number;
  name?: string | undefined;
  count?: number;
  percent?: number;
  /** When it happened. Missing for what lasts: it is wrong now. */
  at?: string;
}

/** Kinds that happen at a moment. They end without a message. */
const MOMENTS = ['rollback', 'new_events', 'schema_drift'] as const satisfies readonly TroubleKind[];
type LastingKind = Exclude<TroubleKind, (typeof MOMENTS)[number]>;
export const isLasting = (kind: TroubleKind): kind is LastingKind => !MOMENTS.some((moment) => moment === kind);
export const LASTING: readonly TroubleKind[] = TROUBLES.filter(isLasting);

const NOUNS: Record<TroubleKind, string> = {
  destination_failing: 'Destination',
  dead_letters: 'Destination',
  breaker_open: 'Destination',
  deletion_overdue: 'Destination',
  source_silent: 'Source',
  rollback: 'Transformation',
  new_events: 'Source',
  schema_drift: 'Source',
};
/** The word for what a kind is about, as the API has it. */
export const resourceTypeOf = (kind: TroubleKind): string => NOUNS[kind].toLowerCase();

export interface ShownTrouble {
  kind: TroubleKind;
  resourceId: string;
  name: string | null;
  count: number | null;
  percent: number | null;
}

/** One sentence about a trouble. It names the resource, and never an event or a user. */
export function sentenceOf(trouble: ShownTrouble, isResolved: boolean): string {
  const { kind, resourceId, name } = trouble;
  const resource = `${NOUNS[kind]} ${name ? `"${name}" (${resourceId})` : resourceId}`;
  return `${resource} ${isResolved && isLasting(kind) ? RESOLVED[kind] : OPENED[kind](trouble)}`;
}

const many = (count: number | null, noun: string) => `${count ?? 'some'} ${noun}${count === 1 ? '' : 's'}`;

const OPENED: Record<TroubleKind, (trouble: ShownTrouble) => string> = {
  destination_failing: ({ percent }) => `is failing: ${percent ?? 'many'}% of the attempts of this hour failed.`,
  dead_letters: ({ count }) => `has ${many(count, 'new dead letter')}. They can be sent again for 30 days.`,
  breaker_open: () => 'counts as down. Its events wait, and single attempts find out when it is back.',
  deletion_overdue: ({ count }) => `has ${many(count, 'deletion')} under way for more than a day.`,
  source_silent: () => 'has been silent for longer than usual.',
  rollback: () => 'was rolled back automatically: its new version failed on live events.',
  new_events: ({ count }) => `sent ${many(count, 'kind')} of event for the first time.`,
  schema_drift: ({ count }) => `sent events of a changed shape (${many(count, 'notice')}).`,
};

const RESOLVED: Record<LastingKind, string> = {
  destination_failing: 'no longer fails.',
  dead_letters: 'has no new dead letters.',
  breaker_open: 'is back.',
  deletion_overdue: 'has no overdue deletions any more.',
  source_silent: 'sends events again.',
};
