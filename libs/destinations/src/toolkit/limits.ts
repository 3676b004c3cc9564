import { AppError, EVENT_BYTES_MAX, type JsonObject } from '@weir/contracts';

/** Keys and items of an event at any depth. An order of a thousand products has this many. Vendors accept some hundreds. */
const EVENT_NODES_MAX = 10_000;
/**
 * The same for kinds that pass events on unchanged. Equals five bytes per node in the largest event, which no real event reaches.
 */
const WHOLE_EVENT_NODES_MAX = 100_000;
/** Keys of one object. Kinds rebuild an object with this many keys several times, which takes the most time. */
const OBJECT_KEYS_MAX = 2_000;
/** User code may nest its results deeper than the intake allows. Recursive code needs a limit. */
const LEVELS_MAX = 1_000;

/**
 * Throws for an event that is too large to transform. Reads no more of it than the limits allow. An event that passes unchanged
 * may have more nodes and larger inner objects, but no more top-level keys.
 */
export function refuseLarge(event: JsonObject, isWhole = false): void {
  const nodesMax = isWhole ? WHOLE_EVENT_NODES_MAX : EVENT_NODES_MAX;
  const innerKeysMax = isWhole ? WHOLE_EVENT_NODES_MAX : OBJECT_KEYS_MAX;
  let nodes = 0;
  let level: object[] = [event];
  for (let levels = 0; level.length > 0; levels += 1) {
    if (levels > LEVELS_MAX) refuse(`more than ${LEVELS_MAX} levels of objects`);
    const below: object[] = [];
    const keysMax = levels === 0 ? OBJECT_KEYS_MAX : innerKeysMax;
    for (const value of level) {
      const count = pushObjects(value, below, nodesMax - nodes);
      if (count > keysMax && !Array.isArray(value)) refuse(`an object of more than ${keysMax} keys`);
      nodes += count;
      if (nodes > nodesMax) refuse(`more than ${nodesMax} keys and items`);
    }
    level = below;
  }
}

/** Collects inner objects and counts all nodes, up to one more than `room`. Allocates nothing per node. */
function pushObjects(value: object, found: object[], room: number): number {
  if (Array.isArray(value)) {
    if (value.length > room) return value.length;
    for (const inner of value) if (typeof inner === 'object' && inner !== null) found.push(inner);
    return value.length;
  }
  let count = 0;
  for (const key in value) {
    count += 1;
    if (count > room) break;
    const inner = (value as JsonObject)[key];
    if (typeof inner === 'object' && inner !== null) found.push(inner);
  }
  return count;
}

function refuse(what: string): never {
  throw new AppError('invalid', `The event has ${what}: destinations get no larger ones`);
}

/**
 * Approximate JSON size of all payloads of one event. Kinds repeat values of an event for each product, group or mapped key. Four
 * times the largest event covers everything that vendors accept, and prevents growth to gigabytes.
 */
const SIZE_MAX = 4 * EVENT_BYTES_MAX;
/** Size of a key, a number or a brace, with its separator. */
const NODE_SIZE = 4;

/**
 * Returns a function that adds up the size of values, repeated ones each time. It refuses the event once the total is too large.
 */
export function meter(): (value: unknown) => void {
  let left = SIZE_MAX;
  const take = (value: unknown): void => {
    left -= typeof value === 'string' ? value.length + NODE_SIZE : NODE_SIZE;
    if (left < 0) throw new AppError('invalid', `The event makes more than ${SIZE_MAX} bytes for this destination`);
    if (Array.isArray(value)) {
      for (const item of value) take(item);
    } else if (typeof value === 'object' && value !== null) {
      // avoids a list of entries per object, because an event may have hundreds of thousands of objects
      for (const key in value) {
        left -= key.length;
        take((value as Record<string, unknown>)[key]);
      }
    }
  };
  return take;
}
