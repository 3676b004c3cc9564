import type { JsonObject } from '@weir/contracts';
import type { CountedModel } from './key-facts.js';

/**
 * The part of an event that its sender shapes, by event type. For other types it is the whole event. SDKs send the traits of
 * identify in its context, and servers beside it.
 */
const CONTENT = new Map<string, readonly string[]>([
  ['track', ['properties']],
  ['page', ['properties']],
  ['screen', ['properties']],
  ['identify', ['traits', 'context.traits']],
  ['group', ['traits']],
]);
/**
 * Events without which nobody knows what an event may lack or have besides. If 100 in a row had a key, then at least 97 in 100 do
 * (rule of three, 95 %).
 */
export const SURE_EVENTS = 100;
const TYPES: Record<string, string> = { string: 'string', float64: 'number', bool: 'boolean' };

/** Facts about one place in the events. */
interface Place {
  children: Map<string, Place>;
  types: Set<string>;
  /** True if every event has it, and there were enough of them. */
  always: boolean;
  /** Events that have it, at least. */
  events: number;
}

/**
 * JSON Schema draft-07 of the events that the model has had so far. Keys named 0, 1, 2 and so on describe a list. `required`
 * lists keys that every event had. Keys inside lists are never required, because counts do not tell items apart. Fewer than
 * {@link SURE_EVENTS} events require nothing and close no object.
 */
export function jsonSchemaOf({ eventType, schema, facts, totalCount }: CountedModel): JsonObject {
  const root = newPlace();
  root.events = totalCount;
  for (const [path, types] of Object.entries(schema)) {
    const segments = contentOf(eventType, path)?.split('.');
    if (!segments) continue;
    const { events = 0 } = facts.get(path) ?? {};
    add(root, segments, types.split(','), { events, always: events === totalCount && events >= SURE_EVENTS });
  }
  return { $schema: 'http://json-schema.org/draft-07/schema#', $comment: certainty(totalCount), ...objectOf(root) };
}

const certainty = (events: number) =>
  events >= SURE_EVENTS
    ? `Observed in ${events} events.`
    : `Observed in ${events} events. ${SURE_EVENTS} make sure which keys are required, and that there are no others.`;

/** The path below the content of the event type. Undefined if it is elsewhere. */
function contentOf(eventType: string, path: string): string | undefined {
  const contents = CONTENT.get(eventType);
  if (!contents) return path;
  const content = contents.find((prefix) => path.startsWith(`${prefix}.`));
  return content === undefined ? undefined : path.slice(content.length + 1);
}

const newPlace = (): Place => ({ children: new Map(), types: new Set(), always: false, events: 0 });

type Counts = Pick<Place, 'always' | 'events'>;

function add(root: Place, segments: readonly string[], types: readonly string[], counts: Counts): void {
  let place = root;
  for (const segment of segments) {
    const child = place.children.get(segment) ?? newPlace();
    place.children.set(segment, child);
    child.always ||= counts.always;
    child.events = Math.max(child.events, counts.events);
    place = child;
  }
  for (const type of types) place.types.add(TYPES[type] ?? type);
}

/** A place may be a scalar in some events and an object or a list in others. */
function schemaOf(place: Place): JsonObject {
  const alternatives: JsonObject[] = [];
  const [type, ...more] = place.types;
  if (type !== undefined) alternatives.push({ type: more.length === 0 ? type : [type, ...more] });
  if (place.children.size > 0) alternatives.push(isList(place) ? listOf(place) : objectOf(place));
  const [first = {}, ...others] = alternatives;
  return others.length === 0 ? first : { anyOf: alternatives };
}

function objectOf({ children, events }: Place): JsonObject {
  const properties = Object.fromEntries([...children].map(([key, child]) => [key, schemaOf(child)]));
  const required = [...children].flatMap(([key, { always }]) => (always ? [key] : []));
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    ...(events >= SURE_EVENTS && { additionalProperties: false }),
  };
}

function listOf({ children }: Place): JsonObject {
  const item = newPlace();
  for (const child of children.values()) merge(item, child);
  return { type: 'array', items: schemaOf(item) };
}

function merge(into: Place, { children, types, events }: Place): void {
  into.events = Math.max(into.events, events);
  for (const type of types) into.types.add(type);
  for (const [key, child] of children) {
    const mine = into.children.get(key) ?? newPlace();
    into.children.set(key, mine);
    merge(mine, child);
  }
}

const isList = ({ children }: Place) => [...children.keys()].every((key) => /^(0|[1-9]\d{0,5})$/.test(key));
