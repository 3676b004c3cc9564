import { Injectable } from '@nestjs/common';
import { during, Slices, type Sql } from '@weir/messaging';
import { Statistics, type StoredStatistics } from '../aggregation/statistics.js';
import { type FoldedRow, type Increment, StatisticsRepository } from './statistics.repository.js';
import type { FoundVain } from './vain-memory.js';

/** A model's statistics with its increments merged. */
export interface Folded {
  /** Keyed by the id of the model or version. */
  owners: Map<string, Statistics>;
  /** Keyed by version: observations that further increments can skip. */
  vain: Map<string, FoundVain>;
}

/** Merges the increments of one model into its folded statistics, in slices. There are many, and each may be large. */
export async function foldIncrements(
  eventId: string,
  increments: readonly Increment[],
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
  for (const increment of increments) {
    during('collector.fold', () => model.merge(Statistics.decode('model', increment)));
    if (slices.isOver) await slices.next();
    if (!increment.versionId) continue;
    statisticsOf(increment.versionId).merge(Statistics.decode('version', increment));
    if (slices.isOver) await slices.next();
  }
  const vain = new Map<string, FoundVain>();
  for (const [id, version] of owners) {
    if (id !== eventId) vain.set(id, vainOf(version, model));
    if (slices.isOver) await slices.next();
  }
  return { owners, vain };
}

function vainOf(version: Statistics, model: Statistics): FoundVain {
  const paths = [...new Set([...model.values.paths, ...version.values.paths])];
  return {
    priorities: version.samples.priorities,
    paths: new Set(paths.filter((path) => model.values.ignores(path) && version.values.ignores(path))),
  };
}

/** Merges increments into the folded rows of models and their versions. The transaction has locked the models. */
@Injectable()
export class FoldService {
  constructor(private readonly repository: StatisticsRepository) {}

  /** Returns what further increments of the versions can skip, once the transaction is committed. */
  async fold(sql: Sql, eventIds: readonly string[]): Promise<Map<string, FoundVain>> {
    const increments = await this.repository.takeIncrements(sql, eventIds);
    const known = new Map<string, FoundVain>();
    if (increments.length === 0) return known;
    const versionIds = increments.flatMap(({ versionId }) => versionId ?? []);
    const before = await this.repository.folded(sql, [...eventIds, ...new Set(versionIds)]);
    const slices = new Slices();
    const rows: FoldedRow[] = [];
    for (const [eventId, own] of Map.groupBy(increments, (increment) => increment.eventId)) {
      const { owners, vain } = await foldIncrements(eventId, own, before);
      for (const [ownerId, statistics] of owners) {
        rows.push({ ownerId, eventId, ...statistics.encode() });
        if (slices.isOver) await slices.next();
      }
      for (const [versionId, ofVersion] of vain) known.set(versionId, ofVersion);
    }
    await this.repository.store(sql, rows);
    return known;
  }
}
