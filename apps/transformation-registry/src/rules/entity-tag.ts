import { createHash } from 'node:crypto';
import { AppError } from '@weir/contracts';

/** Characters of the hash, enough to tell all states of one object apart. */
const TAG_CHARS = 22;

/** The mutable state that a transformation or library shows in addition to its immutable revisions. */
export interface TaggedState {
  latest_version_id: string;
  live_version_id: string | null;
  live_at: Date | null;
  external_id: string | null;
  commit_id: string | null;
  /** Only transformations have them. */
  destinations?: readonly string[];
  runtime?: string | null;
  runtime_reason?: string | null;
}

/** Entity tag of a transformation or library. A new draft changes it too, because an update builds on the latest revision. */
export const objectTag = (row: TaggedState): string =>
  tagOf([
    row.latest_version_id,
    row.live_version_id,
    row.live_at?.toISOString(),
    row.external_id,
    row.commit_id,
    row.destinations ?? [],
    ...(row.runtime ? [row.runtime, row.runtime_reason] : []),
  ]);

/** Entity tag of one revision. Covers the only fields of it that can change. */
export const revisionTag = (
  row: Pick<TaggedState, 'live_version_id' | 'external_id' | 'commit_id'> & { version_id: string },
): string => tagOf([row.version_id, row.version_id === row.live_version_id, row.external_id, row.commit_id]);

/** Throws `precondition_failed` unless one of the tags matches the object's state. Without tags there is no condition. */
export function requireMatch(row: TaggedState, ifMatch: readonly string[] | undefined): void {
  if (ifMatch === undefined || ifMatch.includes(objectTag(row))) return;
  throw new AppError('precondition_failed', 'It changed after you read it. Read it again, then repeat the change');
}

const tagOf = (state: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(state)).digest('base64url').slice(0, TAG_CHARS);
