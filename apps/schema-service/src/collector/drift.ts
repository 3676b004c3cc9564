import type { VersionDelta } from '../aggregation/aggregator.js';
import type { SchemaChange } from '../aggregation/schema-union.js';

/** Keys that a notice names, which bounds a page of notices. The version holds all keys. */
const KEYS_MAX = 10;
const KEY_CHARS_MAX = 256;
/** Notices of one flush about one model. More of them would tell nothing new. */
const NOTICES_MAX = 100;

export interface DriftNotice {
  eventId: string;
  kind: 'new_version' | 'new_type';
  versionId: string;
  keys: string[];
  typesBefore: string | null;
  typesAfter: string | null;
  at: string;
}

/** Notices for each new version of a model, and for each key that gained a type. */
export function driftOf(
  eventId: string,
  versions: readonly Pick<VersionDelta, 'versionId' | 'firstSeen'>[],
  changes: readonly (readonly SchemaChange[])[],
): DriftNotice[] {
  const notices = versions.flatMap(({ versionId, firstSeen: at }, place): DriftNotice[] => {
    const changed = (changes[place] ?? []).filter(({ path }) => path.length <= KEY_CHARS_MAX);
    const keys = changed.flatMap(({ path, before }) => (before === undefined ? [path] : []));
    const types = changed.flatMap(({ path, before = '', after }): DriftNotice[] =>
      before
        ? [{ eventId, kind: 'new_type', versionId, keys: [path], typesBefore: before, typesAfter: after, at }]
        : [],
    );
    const version = { eventId, versionId, keys: keys.slice(0, KEYS_MAX), typesBefore: null, typesAfter: null, at };
    return [{ kind: 'new_version', ...version }, ...types];
  });
  return notices.slice(0, NOTICES_MAX);
}
