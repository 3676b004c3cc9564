import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject } from '@weir/contracts';

/** Paths per list. A program that rewrites an event completely adds and removes all of them. */
const KEYS_MAX = 100;
/** Paths to compare, and characters of one path. Long names above many keys would take gigabytes. */
const PATHS_MAX = 10_000;
const PATH_CHARS_MAX = 512;

/**
 * Dotted paths that were added, removed or changed between two lists of events. A fan-out counts as one event with the keys of
 * all outputs.
 */
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

/** Values by path, in the order of the events. Lists, empty objects and objects below a very long path count as values. */
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
