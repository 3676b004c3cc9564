import { createHash } from 'node:crypto';
import { AppError } from '@weir/contracts';

/** As much of the hash as two states of one object will ever need to differ. */
const TAG_CHARS = 22;

/** What an object of a transformation or library shows beyond its immutable revisions. */
export interface TaggedState {
  latest_version_id: string;
  live_version_id: string | null;
  live_at: Date | null;
  external_id: string | null;
  commit_id: string | null;
  /** Of a transformation. */
  destinations?: readonly string[];
}

/** The tag of a transformation or library: a new draft changes it too, because an update builds on the latest revision. */
export const objectTag = (row: TaggedState): string =>
  tagOf([
    row.latest_version_id,
    row.live_version_id,
    row.live_at?.toISOString(),
    row.external_id,
    row.commit_id,
    row.destinations ?? [],
  ]);

/** The tag of one revision: of what it shows, only these ever change. */
export const revisionTag = (
  row: Pick<TaggedState, 'live_version_id' | 'external_id' | 'commit_id'> & { version_id: string },
): string => tagOf([row.version_id, row.version_id === row.live_version_id, row.external_id, row.commit_id]);

/** Throws `precondition_failed` unless the object is as one of the tags names it. No tags, no condition. */
export function requireMatch(row: TaggedState, ifMatch: readonly string[] | undefined): void {
  if (ifMatch === undefined || ifMatch.includes(objectTag(row))) return;
  throw new AppError('precondition_failed', 'It has changed since it was read: read it again, and repeat the change');
}

const tagOf = (state: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(state)).digest('base64url').slice(0, TAG_CHARS);
