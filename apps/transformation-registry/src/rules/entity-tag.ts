import { createHash } from 'node:crypto';
import { AppError } from '@weir/contracts';

/** Characters of the hash, enough to tell all states of one object apart. */
const TAG_CHARS = 22;

/**
 * The state of a transformation or library. None of it depends on the revision that a row shows, so that a draft on top and an
 * earlier revision have the tag of the live code (decision 0052).
 */
export interface TaggedState {
  latest_version_id: string;
  live_version_id: string | null;
  live_at: Date | null;
  live_commit_id: string | null;
  external_id: string | null;
  /** Only transformations have them. */
  destinations?: readonly string[];
  runtime?: string | null;
  runtime_reason?: string | null;
}

/** Entity tag of a transformation or library. A new draft changes it too, because an update builds on the latest revision. */
export function objectTag(row: TaggedState): string {
  const state = [
    row.latest_version_id,
    row.live_version_id,
    row.live_at?.toISOString(),
    row.external_id,
    row.live_commit_id,
    row.destinations ?? [],
    ...(row.runtime ? [row.runtime, row.runtime_reason] : []),
  ];
  return createHash('sha256').update(JSON.stringify(state)).digest('base64url').slice(0, TAG_CHARS);
}

/**
 * Throws `precondition_failed` unless one of the tags matches the object's state. A deleted object has none. Without tags there is
 * no condition.
 */
export function requireMatch(
  type: 'transformation' | 'library',
  row: (TaggedState & { name: string }) | undefined,
  ifMatch: readonly string[] | undefined,
): void {
  if (ifMatch === undefined || (row && ifMatch.includes(objectTag(row)))) return;
  const what = row ? `${type} ${row.name} has changed` : `the ${type} was deleted`;
  throw new AppError('precondition_failed', `${what} since you read it. Read it again, then repeat the change`);
}
