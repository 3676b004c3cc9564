import type { JsonObject } from '@weir/contracts';
import type { CountedModel } from './key-count.repository.js';

/** The part of an event that its sender shapes, by event type. For other types it is the whole event. */
const CONTENT: Record<string, string> = {
  track: 'properties',
  page: 'properties',
  screen: 'properties',
  identify: 'traits',
  group: 'traits',
};
const TYPES: Record<string, string> = { string: 'string', float64: 'number', bool: 'boolean' };

/** Facts about one place in the events. */
interface Place {
  children: Map<string, Place>;
  types: Set<string>;
  /** True if every event has it. */
  always: boolean;
}

/**
 * JSON Schema draft-07 of the events that the model has had so far. Keys named 0, 1, 2 and so on describe a list. `required`
 * lists keys that every event had. Keys inside lists are never required, because counts do not tell items apart.
 */
export function jsonSchemaOf({ eventType, schema, facts, totalCount }: CountedModel): JsonObject {
  const root = newPlace();
  const content = CONTENT[eventType];
  for (const [path, types] of Object.entries(schema)) {
    const segments = path.split('.');
    if (content !== undefined && segments.shift() !== content) continue;
    add(root, segments, types.split(','), facts.get(path)?.events === totalCount);
  }
  return { $schema: 'http://json-schema.org/draft-07/schema#', ...objectOf(root) };
}

const newPlace = (): Place => ({ children: new Map(), types: new Set(), always: false });

function add(root: Place, segments: readonly string[], types: readonly string[], always: boolean): void {
  let place = root;
  for (const segment of segments) {
    const child = place.children.get(segment) ?? newPlace();
    place.children.set(segment, child);
    child.always ||= always;
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

function objectOf({ children }: Place): JsonObject {
  const properties = Object.fromEntries([...children].map(([key, child]) => [key, schemaOf(child)]));
  const required = [...children].flatMap(([key, { always }]) => (always ? [key] : []));
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function listOf({ children }: Place): JsonObject {
  const item = newPlace();
  for (const child of children.values()) merge(item, child);
  return { type: 'array', items: schemaOf(item) };
}

function merge(into: Place, { children, types }: Place): void {
  for (const type of types) into.types.add(type);
  for (const [key, child] of children) {
    const mine = into.children.get(key) ?? newPlace();
    into.children.set(key, mine);
    merge(mine, child);
  }
}

const isList = ({ children }: Place) => [...children.keys()].every((key) => /^(0|[1-9]\d{0,5})$/.test(key));
