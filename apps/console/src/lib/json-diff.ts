import { isRecord } from './json.js';

export interface Change {
  op: 'add' | 'remove' | 'replace';
  /** JSON pointer. */
  path: string;
  from?: unknown;
  to?: unknown;
}

/** Longer differences help nobody. The caller says how many are left. */
const CHANGES_MAX = 500;

/** The changes that turn `before` into `after`, in the order of the keys. */
export function diffJson(before: unknown, after: unknown): { changes: Change[]; left: number } {
  const changes: Change[] = [];
  let left = 0;
  const add = (change: Change) => {
    if (changes.length < CHANGES_MAX) changes.push(change);
    else left += 1;
  };
  compare(before, after, '', add);
  return { changes, left };
}

function compare(before: unknown, after: unknown, path: string, add: (change: Change) => void): void {
  if (Object.is(before, after)) return;
  const [old, fresh] = [entriesOf(before), entriesOf(after)];
  if (!old || !fresh || Array.isArray(before) !== Array.isArray(after)) {
    add({ op: 'replace', path, from: before, to: after });
    return;
  }
  for (const [key, value] of old) {
    const place = `${path}/${escaped(key)}`;
    if (fresh.has(key)) compare(value, fresh.get(key), place, add);
    else add({ op: 'remove', path: place, from: value });
  }
  for (const [key, value] of fresh) {
    if (!old.has(key)) add({ op: 'add', path: `${path}/${escaped(key)}`, to: value });
  }
}

function entriesOf(value: unknown): Map<string, unknown> | undefined {
  if (Array.isArray(value)) return new Map(value.map((item, at) => [String(at), item]));
  return isRecord(value) ? new Map(Object.entries(value)) : undefined;
}

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** A JSON pointer as people read it: `properties.price`. */
export const pathText = (pointer: string): string =>
  pointer === ''
    ? 'the whole event'
    : pointer
        .slice(1)
        .split('/')
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
        .join('.');
