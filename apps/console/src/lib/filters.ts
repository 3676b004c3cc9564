/** The address of a page holds its filters. These functions read it, and ignore parameters of others. */
export const EVENT_TYPES = ['identify', 'track', 'page', 'screen', 'group', 'alias'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const OUTCOMES = [
  'accepted',
  'delivered',
  'failed',
  'dead',
  'dropped_by_code',
  'filtered',
  'suppressed',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface EventFilters {
  source?: string;
  destination?: string;
  type?: EventType;
  outcome?: Outcome;
  /** Found in the name, the message id, the user, or the text of an event. */
  text?: string;
  /** Message id of the event whose life is open. */
  event?: string;
}

type Raw = Record<string, unknown>;

const wordOf = (raw: Raw, name: string): string | undefined => {
  const value = raw[name];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** The stream refuses an id of another form. */
const idOf = (raw: Raw, name: string): string | undefined => /^[0-9A-Za-z]{27}$/.exec(wordOf(raw, name) ?? '')?.[0];

const oneOf = <Value extends string>(values: readonly Value[], text: string | undefined): Value | undefined =>
  values.find((value) => value === text);

/** Leaves out what is undefined, so that no address carries empty names. */
function present<Shape extends object>(fields: { [Key in keyof Shape]: Shape[Key] | undefined }): Shape {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Shape;
}

export const parseEventFilters = (raw: Raw): EventFilters =>
  present<EventFilters>({
    source: idOf(raw, 'source'),
    destination: idOf(raw, 'destination'),
    type: oneOf(EVENT_TYPES, wordOf(raw, 'type')),
    outcome: oneOf(OUTCOMES, wordOf(raw, 'outcome')),
    text: wordOf(raw, 'text'),
    event: wordOf(raw, 'event'),
  });

/** Reads texts of these names. What they mean is for the page to know: it shows its usual state for a text that means nothing. */
export const fieldsIn =
  <Name extends string>(...names: readonly Name[]) =>
  (raw: Raw): { [Key in Name]?: string } =>
    present(
      Object.fromEntries(names.map((name) => [name, wordOf(raw, name)])) as { [Key in Name]: string | undefined },
    );

/** The ranges of the overview, in hours. */
export const RANGES = [1, 24, 168] as const;

/** The state of the overview: its range, and whether everything that needs a person is shown. */
export const parseOverview = (raw: Raw): { hours?: number; all?: true } =>
  present<{ hours?: number; all?: true }>({
    hours: RANGES.find((hours) => hours === Number(raw['hours'])),
    all: raw['all'] === true ? true : undefined,
  });

/** The messages of the stream about an event: it was accepted, it ended at a destination, or a regulation stopped it. */
export interface LiveRow {
  /** An {@link Outcome}, or a word of a newer server. */
  outcome: string;
  name?: string | undefined;
  messageId?: string | undefined;
  event?: unknown;
  reason?: string | undefined;
}

/** The text in which an event is searched. */
export const textOf = (event: unknown): string => JSON.stringify(event).toLowerCase();

/** `eventText` is that of the event that the row is about, if anybody knows it. */
export function matches(row: LiveRow, { outcome, text }: EventFilters, eventText?: string): boolean {
  if (outcome && row.outcome !== outcome) return false;
  if (!text) return true;
  const wanted = text.toLowerCase();
  if (eventText?.includes(wanted)) return true;
  return [row.name, row.messageId, row.reason].some((place) => place?.toLowerCase().includes(wanted));
}
