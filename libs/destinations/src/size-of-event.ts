import { AppError, EVENT_BYTES_MAX, type JsonObject } from '@weir/contracts';

/** Keys and items of an event, at any depth: an order of a thousand products has as many. Vendors take some hundreds. */
export const EVENT_PARTS_MAX = 10_000;
/** Keys of one object in it. Kinds make an object of as many keys anew several times, so these are what takes longest. */
export const OBJECT_KEYS_MAX = 2_000;
/** Code may nest its results deeper than the intake lets events be; whoever goes down them calls himself as often. */
export const LEVELS_MAX = 1_000;

/**
 * Throws for an event that is too large to be made something of; looks at no more of it than it may have. What goes out whole
 * costs no more than its bytes, so only its levels and its own keys count.
 */
export function refuseLarge(event: JsonObject, isWhole = false): void {
  const [partsMax, innerKeysMax] = isWhole ? [EVENT_BYTES_MAX, EVENT_BYTES_MAX] : [EVENT_PARTS_MAX, OBJECT_KEYS_MAX];
  let parts = 0;
  let level: unknown[] = [event];
  for (let levels = 0; level.length > 0; levels += 1) {
    if (levels > LEVELS_MAX) refuse(`more than ${LEVELS_MAX} levels of objects`);
    const below: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      const inner = Array.isArray(value) ? value : Object.values(value);
      const keysMax = levels === 0 ? OBJECT_KEYS_MAX : innerKeysMax;
      if (inner !== value && inner.length > keysMax) refuse(`an object of more than ${keysMax} keys`);
      parts += inner.length;
      if (parts > partsMax) refuse(`more than ${partsMax} keys and items`);
      for (const item of inner) below.push(item);
    }
    level = below;
  }
}

function refuse(what: string): never {
  throw new AppError('invalid', `The event has ${what}: destinations get no larger ones`);
}
