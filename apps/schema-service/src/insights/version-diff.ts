import type { VersionDiff } from '@weir/contracts';
import { compareText } from '../aggregation/schema.js';

type Schema = Record<string, string>;
type Differences = Pick<VersionDiff, 'Compatibility' | 'Added' | 'Removed' | 'Changed' | 'Complete'>;

/** Bytes of the differences in one answer. Keeps the reply within one message, even with long keys. */
const BYTES_MAX = 786_432;

/** Differences between two shapes of a model, sorted by key. Removed keys and new types break readers of `before`. */
export function diffOf(before: Schema, after: Schema): Differences {
  const Added = Object.keys(after)
    .filter((key) => !Object.hasOwn(before, key))
    .sort(compareText)
    .map((Key) => ({ Key, Types: after[Key] ?? '' }));
  const Removed = Object.keys(before)
    .filter((key) => !Object.hasOwn(after, key))
    .sort(compareText)
    .map((Key) => ({ Key, Types: before[Key] ?? '' }));
  const Changed = Object.keys(before)
    .filter((key) => Object.hasOwn(after, key) && before[key] !== after[key])
    .sort(compareText)
    .map((Key) => ({ Key, From: before[Key] ?? '', To: after[Key] ?? '' }));
  return { Compatibility: compatibilityOf({ Added, Removed, Changed }), ...fitting({ Added, Removed, Changed }) };
}

type Lists = Pick<Differences, 'Added' | 'Removed' | 'Changed'>;

function compatibilityOf({ Added, Removed, Changed }: Lists): Differences['Compatibility'] {
  if (Removed.length > 0 || Changed.some(({ From, To }) => hasNewType(From, To))) return 'breaking';
  return Added.length + Changed.length > 0 ? 'compatible' : 'identical';
}

const hasNewType = (from: string, to: string) => to.split(',').some((type) => !from.split(',').includes(type));

function fitting(lists: Lists): Lists & { Complete: boolean } {
  let left = BYTES_MAX;
  let Complete = true;
  const cut = <Entry>(entries: Entry[]) => {
    const end = entries.findIndex((entry) => {
      left -= Buffer.byteLength(JSON.stringify(entry)) + 1;
      return left < 0;
    });
    if (end !== -1) Complete = false;
    return end === -1 ? entries : entries.slice(0, end);
  };
  // Removed and changed keys can break readers, so they get space first.
  const Removed = cut(lists.Removed);
  const Changed = cut(lists.Changed);
  return { Added: cut(lists.Added), Removed, Changed, Complete };
}
