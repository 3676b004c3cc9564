import { isJsonObject, type JsonObject, type TraceChange } from '@weir/contracts';

/** Differences that are listed. Code that rebuilds an event changes everything. */
const CHANGES_MAX = 50;
/** Length of a value as JSON. A longer one is told by its length. */
const VALUE_LENGTH_MAX = 256;

export interface Changes {
  changes: TraceChange[];
  /** Differences beyond the limit. */
  more: number;
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
