import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject } from '@weir/contracts';

/** Paths that one list names: a program that rewrites an event whole adds and removes them all. */
const KEYS_MAX = 100;
/** Paths that are looked at, and how long one may be: long names above many keys would take gigabytes. */
const PATHS_MAX = 10_000;
const PATH_CHARS_MAX = 512;

/** Dotted paths by what happened to them between two lists of events. A fan-out counts as one: a key of any is there. */
export function changedKeys(before: readonly JsonObject[], after: readonly JsonObject[]) {
  const [old, now] = [valuesByPath(before), valuesByPath(after)];
  return {
    keysAdded: [...now.keys()].filter((path) => !old.has(path)).slice(0, KEYS_MAX),
    keysRemoved: [...old.keys()].filter((path) => !now.has(path)).slice(0, KEYS_MAX),
    keysChanged: [...now.keys()]
      .filter((path) => old.has(path) && !isDeepStrictEqual(old.get(path), now.get(path)))
      .slice(0, KEYS_MAX),
  };
}

/** What each event has at a path, in their order; lists, empty objects and what lies too deep are values. */
function valuesByPath(events: readonly JsonObject[]): Map<string, unknown[]> {
  const values = new Map<string, unknown[]>();
  for (const event of events) {
    const open = Object.entries(event).reverse();
    for (let entry = open.pop(); entry; entry = open.pop()) {
      const [path, value] = entry;
      const inner = isJsonObject(value) && path.length < PATH_CHARS_MAX ? Object.entries(value) : [];
      for (const [key, nested] of inner.reverse()) open.push([`${path}.${key}`, nested]);
      if (inner.length > 0) continue;
      const known = values.get(path);
      if (known) known.push(value);
      else if (values.size < PATHS_MAX) values.set(path, [value]);
    }
  }
  return values;
}
