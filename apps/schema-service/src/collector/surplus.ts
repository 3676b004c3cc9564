import type { ModelDelta, VersionDelta } from '../aggregation/aggregator.js';
import { NEW_VERSIONS_CHARS_MAX } from '../aggregation/limits.js';
import { compareText } from '../aggregation/schema.js';

/** New versions by model, in first-seen order. */
export type NewVersions = Map<ModelDelta, VersionDelta[]>;

interface Room {
  versionsPerModel: number;
  /** Whether the flush creates the model. */
  isNew: (model: ModelDelta) => boolean;
  /** Whether the model must not grow. */
  isFull: (model: ModelDelta) => boolean;
}

/**
 * New versions that a flush does not write. They count as if they had been removed at once, so their key counts are exact. Of each
 * model, the latest versions stay that it may have. Of each workspace, versions stay while their schemas fit
 * NEW_VERSIONS_CHARS_MAX, and the latest one of every new model. No version of a full model stays.
 */
export function surplusOf(fresh: NewVersions, { versionsPerModel, isNew, isFull }: Room): NewVersions {
  const charsLeft = new Map<string, number>();
  const surplus: NewVersions = new Map();
  for (const [model, versions] of fresh) {
    if (isFull(model)) {
      surplus.set(model, versions);
      continue;
    }
    let left = charsLeft.get(model.workspaceId) ?? NEW_VERSIONS_CHARS_MAX;
    const kept = new Set<VersionDelta>();
    for (const version of latestFirst(versions).slice(0, versionsPerModel)) {
      left -= charsOf(version);
      if (left < 0 && !(kept.size === 0 && isNew(model))) break;
      kept.add(version);
    }
    charsLeft.set(model.workspaceId, left);
    if (kept.size < versions.length) {
      surplus.set(
        model,
        versions.filter((version) => !kept.has(version)),
      );
    }
  }
  return surplus;
}

const latestFirst = (versions: readonly VersionDelta[]) =>
  versions.toReversed().sort((left, right) => compareText(right.lastSeen, left.lastSeen));

/** Stands for the row of a version, its statistics and its notice. */
const ROW_CHARS = 1_024;

function charsOf({ schema }: VersionDelta): number {
  let chars = ROW_CHARS;
  for (const [path, types] of schema) chars += path.length + types.length;
  return chars;
}
