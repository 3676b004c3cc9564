import { AppError, type JsonObject } from '@weir/contracts';

/** Keys and items of an event at any depth. An order of a thousand products has this many. Vendors accept some hundreds. */
export const EVENT_PARTS_MAX = 10_000;
/**
 * The same for kinds that pass events on unchanged. Equals five bytes per part in the largest event, which no real event reaches.
 */
export const WHOLE_EVENT_PARTS_MAX = 100_000;
/** Keys of one object. Kinds rebuild an object with this many keys several times, which takes the most time. */
export const OBJECT_KEYS_MAX = 2_000;
/** User code may nest its results deeper than the intake allows. Recursive code needs a limit. */
export const LEVELS_MAX = 1_000;

/**
 * Throws for an event that is too large to transform. Reads no more of it than the limits allow. An event that passes unchanged
 * may have more parts and larger inner objects, but no more top-level keys.
 */
export function refuseLarge(event: JsonObject, isWhole = false): void {
  const partsMax = isWhole ? WHOLE_EVENT_PARTS_MAX : EVENT_PARTS_MAX;
  const innerKeysMax = isWhole ? WHOLE_EVENT_PARTS_MAX : OBJECT_KEYS_MAX;
  let parts = 0;
  let level: object[] = [event];
  for (let levels = 0; level.length > 0; levels += 1) {
    if (levels > LEVELS_MAX) refuse(`more than ${LEVELS_MAX} levels of objects`);
    const below: object[] = [];
    const keysMax = levels === 0 ? OBJECT_KEYS_MAX : innerKeysMax;
    for (const value of level) {
      const count = pushObjects(value, below, partsMax - parts);
      if (count > keysMax && !Array.isArray(value)) refuse(`an object of more than ${keysMax} keys`);
      parts += count;
      if (parts > partsMax) refuse(`more than ${partsMax} keys and items`);
    }
    level = below;
  }
}

/** Collects inner objects and counts all parts, up to one more than `room`. Allocates nothing per part. */
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
