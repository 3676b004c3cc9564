import { during, Slices } from '@weir/messaging';
import type { Vain } from '../aggregation/observed-statistics.js';
import { Statistics, type StoredStatistics } from '../aggregation/statistics.js';
import type { Part } from './statistics.repository.js';

/** A model's statistics with its parts merged. */
export interface Folded {
  /** Keyed by the id of the model or version. */
  owners: Map<string, Statistics>;
  /** Keyed by version: observations that further parts can skip. */
  vain: Map<string, Vain>;
}

/**
 * Merges the parts of one model into its folded statistics. Works in slices, because there are many parts and each may be large.
 */
export async function foldParts(
  eventId: string,
  parts: readonly Part[],
  before: ReadonlyMap<string, StoredStatistics>,
): Promise<Folded> {
  const slices = new Slices();
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
    during('collector.fold', () => model.merge(Statistics.decode('model', part)));
    if (slices.isOver) await slices.next();
    if (!part.versionId) continue;
    statisticsOf(part.versionId).merge(Statistics.decode('version', part));
    if (slices.isOver) await slices.next();
  }
  const vain = new Map<string, Vain>();
  for (const [id, version] of owners) {
    if (id !== eventId) vain.set(id, vainOf(version, model));
    if (slices.isOver) await slices.next();
  }
  return { owners, vain };
}

function vainOf(version: Statistics, model: Statistics): Vain {
  const paths = [...new Set([...model.values.paths, ...version.values.paths])];
  return {
    sampleFloor: version.samples.lowest,
    paths: new Set(paths.filter((path) => model.values.ignores(path) && version.values.ignores(path))),
  };
}
