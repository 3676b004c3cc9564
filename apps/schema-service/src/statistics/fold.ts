import type { Vain } from '../aggregation/observed-statistics.js';
import { Statistics, type StoredStatistics } from '../aggregation/statistics.js';
import type { Part } from './statistics.repository.js';

/** A model's statistics with its parts in them. */
export interface Folded {
  /** By id of the model or version. */
  owners: Map<string, Statistics>;
  /** By version: what further parts can leave out. */
  vain: Map<string, Vain>;
}

/** Adds parts of one model to what was folded before. */
export function foldParts(
  eventId: string,
  parts: readonly Part[],
  before: ReadonlyMap<string, StoredStatistics>,
): Folded {
  const owners = new Map<string, Statistics>();
  const statisticsOf = (id: string) => {
    const owner = id === eventId ? 'model' : 'version';
    const stored = before.get(id);
    const known = owners.get(id) ?? (stored ? Statistics.decode(owner, stored) : Statistics.none(owner));
    owners.set(id, known);
    return known;
  };
  const model = statisticsOf(eventId);
  for (const part of parts) {
    model.merge(Statistics.decode('model', part));
    if (part.versionId) statisticsOf(part.versionId).merge(Statistics.decode('version', part));
  }
  const versions = [...owners].filter(([id]) => id !== eventId);
  return { owners, vain: new Map(versions.map(([id, version]) => [id, vainOf(version, model)])) };
}

function vainOf(version: Statistics, model: Statistics): Vain {
  const paths = [...new Set([...model.values.paths, ...version.values.paths])];
  return {
    sampleFloor: version.samples.lowest,
    paths: new Set(paths.filter((path) => model.values.ignores(path) && version.values.ignores(path))),
  };
}
