import { isJsonObject, type JsonObject, type TraceChange } from '@weir/contracts';

/** Differences that are listed. Code that rebuilds an event changes everything. */
const CHANGES_MAX = 50;
/** Length of a value as JSON. A longer one is told by its length. */
const VALUE_LENGTH_MAX = 256;
/** Values and characters of an event that is compared and shown. Larger ones would hold up the events of other workspaces. */
const VALUES_MAX = 10_000;
const CHARACTERS_MAX = 65_536;

export interface Changes {
  changes: TraceChange[];
  /** Differences beyond the limit. */
  more: number;
}

/** Whether an event is too large to be compared. Reads no more of it than the limits allow. */
export function isLarge(event: JsonObject): boolean {
  const left = { values: VALUES_MAX, characters: CHARACTERS_MAX };
  const waiting: unknown[] = [event];
  while (waiting.length > 0 && left.values >= 0 && left.characters >= 0) {
    const value = waiting.pop();
    if (typeof value === 'string') left.characters -= value.length;
    else if (Array.isArray(value)) {
      left.values -= value.length;
      if (left.values >= 0) waiting.push(...value);
    } else if (isJsonObject(value)) {
      for (const key in value) {
        left.values -= 1;
        left.characters -= key.length;
        if (left.values < 0) return true;
        waiting.push(value[key]);
      }
    }
  }
  return left.values < 0 || left.characters < 0;
}

/** Lists how two events differ, by JSON Pointer. Compares lists position by position. */
export function changesOf(before: JsonObject, after: JsonObject): Changes {
  const found: Changes = { changes: [], more: 0 };
  compare(before, after, '', found);
  return found;
}

function compare(before: unknown, after: unknown, path: string, found: Changes): void {
  if (before === after) return;
  const [from, to] = [fieldsOf(before), fieldsOf(after)];
  if (!from || !to || Array.isArray(before) !== Array.isArray(after)) {
    note({ op: 'replace', path, from: shown(before), to: shown(after) }, found);
    return;
  }
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const at = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!Object.hasOwn(to, key)) note({ op: 'remove', path: at, from: shown(from[key]) }, found);
    else if (!Object.hasOwn(from, key)) note({ op: 'add', path: at, to: shown(to[key]) }, found);
    else compare(from[key], to[key], at, found);
  }
}

function note(change: TraceChange, found: Changes): void {
  if (found.changes.length < CHANGES_MAX) found.changes.push(change);
  else found.more += 1;
}

const fieldsOf = (value: unknown): JsonObject | undefined =>
  isJsonObject(value) || Array.isArray(value) ? (value as JsonObject) : undefined;

function shown(value: unknown): unknown {
  const length = JSON.stringify(value)?.length ?? 0;
  return length > VALUE_LENGTH_MAX ? `(${length} characters)` : value;
}
