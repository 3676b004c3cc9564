import { isDeepStrictEqual } from 'node:util';
import {
  type EventEvidence,
  type EventResult,
  type FetchCall,
  isJsonObject,
  type JsonObject,
  type Replay,
} from '@weir/contracts';

/** The outcome of each event, in order. A failure that repeats appears once. */
export function evidenceOf(events: readonly JsonObject[], results: readonly EventResult[]): EventEvidence[] {
  const all = results.flatMap((result, index) => {
    const input = events[index];
    return input ? [eventEvidence(input, result)] : [];
  });
  return countedBy(all, ({ error }) => error?.message);
}

/** The first item of each key, with the number of all if there are several. Items without a key are all kept. */
export function countedBy<T extends object>(
  items: readonly T[],
  keyOf: (item: T) => string | undefined,
): (T & { count?: number })[] {
  const counts = new Map<string, number>();
  const firsts = items.filter((item) => {
    const key = keyOf(item);
    if (key === undefined) return true;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count === 1;
  });
  return firsts.map((item) => {
    const count = counts.get(keyOf(item) ?? '') ?? 1;
    return count > 1 ? { ...item, count } : item;
  });
}

export function eventEvidence(input: JsonObject, result: EventResult): EventEvidence {
  const { milliseconds } = result;
  const time = milliseconds !== undefined && { milliseconds };
  const nothing = { input, outputs: [], keysAdded: [], keysRemoved: [], ...time };
  if (result.status === 'error') return { ...nothing, outcome: 'failed', error: result.error };
  if (result.status === 'dropped' || result.outputs.length === 0) return { ...nothing, outcome: 'dropped' };
  const { outputs } = result;
  const { keysAdded, keysRemoved } = changedKeys([input], outputs);
  return { input, outcome: outputs.length > 1 ? 'fanned_out' : 'kept', outputs, keysAdded, keysRemoved, ...time };
}

type Outcome = Replay['differences'][number]['live'];

interface Run {
  results: readonly EventResult[];
  fetches: readonly FetchCall[];
}

/**
 * Runs of the live revision and the candidate over the same events. `live` is undefined if no revision is live, and events then
 * stay unchanged.
 */
export interface Compared {
  liveVersionId: string | null;
  live: Run | undefined;
  next: Run;
}

/** Differences that the candidate would make for real events. */
export function comparisonOf(samples: readonly JsonObject[], { liveVersionId, live, next }: Compared): Replay {
  const differences = samples.flatMap((input, index) => {
    const now = outcomeOf(input, live ? live.results[index] : { status: 'ok', outputs: [input] });
    const then = outcomeOf(input, next.results[index]);
    if (isDeepStrictEqual(now, then)) return [];
    return [{ input, live: now, next: then, ...changedKeys(now.outputs, then.outputs) }];
  });
  const fetches = [...(live?.fetches ?? []), ...next.fetches];
  return { liveVersionId, samples: samples.length, changed: differences.length, differences, fetches };
}

function outcomeOf(input: JsonObject, result: EventResult = { status: 'dropped' }): Outcome {
  const { outcome, outputs, error } = eventEvidence(input, result);
  return { outcome, outputs, ...(error && { error }) };
}

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
