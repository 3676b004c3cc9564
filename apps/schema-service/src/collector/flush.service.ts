import { Injectable } from '@nestjs/common';
import { partitionOfBatch } from '@weir/contracts';
import { during, Slices, type Sql } from '@weir/messaging';
import { Database } from '@weir/service-kit';
import { type Aggregation, Aggregator, type Delta, type ModelDelta } from '../aggregation/aggregator.js';
import type { SkipReason } from '../aggregation/model-key.js';
import { Statistics, type Vain } from '../aggregation/statistics.js';
import { UserKeys } from '../secrets/user-keys.js';
import { FoldService } from '../statistics/fold.js';
import { type Increment, StatisticsRepository } from '../statistics/statistics.repository.js';
import { bytesOfIncrement, StoredBytesRepository } from '../statistics/stored-bytes.repository.js';
import { VainMemory } from '../statistics/vain-memory.js';
import { AppliedBatchesRepository } from './applied-batches.repository.js';
import { DriftRepository } from './drift.js';
import { type IncomingBatch, type IsRefused, LateEvents } from './late-events.js';
import {
  type AddedIncrements,
  type LockedModels,
  ModelDaysDeltaRepository,
  ModelDeltaRepository,
} from './model-delta.repository.js';
import { type AddedVersions, type EvictedVersion, VersionDeltaRepository } from './version-delta.repository.js';
import { WorkspaceBudget } from './workspace-budget.js';

/** Increments of a model that may wait to be folded. A higher limit folds less often, but each read merges more increments. */
const PENDING_INCREMENTS_MAX = 64;

/** Result of one flush. */
export interface Flushed {
  events: number;
  /** Batches that the totals already included. */
  duplicates: number;
  skipped: ReadonlyMap<SkipReason, number>;
}

/** Batches, and the delta that they add if none of them was counted before. */
export interface PreparedFlush {
  /** Reads the batches again. As received, they take much less memory than parsed events. */
  read: () => Iterable<IncomingBatch>;
  /** The earliest epoch seen, by partition. */
  epochs: Map<number, number>;
  batches: number;
  eventsById: Map<string, number>;
  delta: Delta;
}

/** Facts that the process learns from a flush once it is committed. */
interface Learnt {
  removed: EvictedVersion[];
  sampled: { versionId: string; row: string; priorities: number[] }[];
  /** Versions of models of which nothing is kept now. */
  unsampled: string[];
  folded: Map<string, Vain>;
}

/**
 * Adds each batch to the stored totals exactly once, because its id and its delta commit in one transaction (architecture section
 * 4). Locks are taken in a fixed order, batch ids then models, each sorted. No two flushes can deadlock.
 */
@Injectable()
export class FlushService {
  private readonly vain = new VainMemory();
  private readonly aggregator: Aggregator;

  constructor(
    private readonly dataSource: Database,
    private readonly applied: AppliedBatchesRepository,
    private readonly models: ModelDeltaRepository,
    private readonly days: ModelDaysDeltaRepository,
    private readonly versions: VersionDeltaRepository,
    private readonly statistics: StatisticsRepository,
    private readonly folding: FoldService,
    private readonly storedBytes: StoredBytesRepository,
    private readonly budget: WorkspaceBudget,
    private readonly drift: DriftRepository,
    private readonly late: LateEvents,
    keys: UserKeys,
  ) {
    this.aggregator = new Aggregator(keys, (versionId) => this.vain.of(versionId));
  }

  async flush(batches: readonly IncomingBatch[]): Promise<Flushed> {
    return this.commit(await this.prepare(() => batches));
  }

  /** Does the work that needs no database. */
  async prepare(read: PreparedFlush['read']): Promise<PreparedFlush> {
    const aggregation = this.aggregator.begin();
    const eventsById = new Map<string, number>();
    const epochs = new Map<number, number>();
    let batches = 0;
    await this.addAll(aggregation, read, (batch) => {
      batches += 1;
      noteEpoch(epochs, batch);
      if (eventsById.has(batch.batchId)) return false;
      eventsById.set(batch.batchId, batch.events.length);
      return true;
    });
    return { read, epochs, batches, eventsById, delta: aggregation.delta() };
  }

  async commit(prepared: PreparedFlush): Promise<Flushed> {
    let learnt: Learnt | undefined;
    const overBudget = this.budget.overOf(prepared.delta.models.map(({ workspaceId }) => workspaceId));
    const flushed = await this.dataSource.transaction(async (sql) => {
      // Takes the fence lock before any other. A purge waits for flushes that hold it, and they wait for nobody without it.
      const isRefused = await this.late.refusedBy(sql, prepared);
      const claimed = await this.applied.claim(sql, [...prepared.eventsById.keys()]);
      const isWhole = claimed.size === prepared.eventsById.size && !isRefused;
      const delta = isWhole ? prepared.delta : await this.without(prepared, claimed, isRefused);
      learnt = await this.add(sql, delta, overBudget);
      const events = [...claimed].reduce((sum, id) => sum + (prepared.eventsById.get(id) ?? 0), 0);
      return { events, duplicates: prepared.batches - claimed.size, skipped: delta.skipped };
    });
    if (learnt) this.learn(learnt);
    return flushed;
  }

  /** The delta without batches that were already counted and without events that came too late. */
  private async without({ read }: PreparedFlush, claimed: Set<string>, isRefused?: IsRefused): Promise<Delta> {
    const open = new Set(claimed);
    const aggregation = this.aggregator.begin();
    await this.addAll(aggregation, read, ({ batchId }) => open.delete(batchId), isRefused);
    return aggregation.delta();
  }

  /** Adds event by event, in slices. A batch may hold ten thousand events, or a thousand unknown shapes. */
  private async addAll(
    aggregation: Aggregation,
    read: PreparedFlush['read'],
    wants: (batch: IncomingBatch) => boolean,
    isRefused: IsRefused = () => false,
  ): Promise<void> {
    const slices = new Slices();
    for (const batch of read()) {
      if (slices.isOver) await slices.next();
      if (!wants(batch)) continue;
      for (const event of batch.events) {
        during('collector.aggregate', () =>
          isRefused(event, batch) ? aggregation.skip('purged') : aggregation.add(event, batch),
        );
        if (slices.isOver) await slices.next();
      }
    }
  }

  private async add(sql: Sql, delta: Delta, overBudget: ReadonlySet<string>): Promise<Learnt | undefined> {
    if (delta.models.length === 0) return undefined;
    const models = await this.models.lock(sql, delta.models, overBudget);
    const { admitted, sampled, full } = models;
    countRefused(delta, admitted);
    await this.days.add(sql, admitted);
    const versions = await this.versions.addTotals(sql, models);
    this.assertVainHolds(sampled, versions);
    const increments = await incrementsOf(sampled, versions);
    const pending = await this.models.addTotals(sql, admitted, addedBy(increments));
    await this.drift.add(sql, await this.versions.extendSchemas(sql, versions.fresh, full));
    await this.statistics.addIncrements(sql, increments);
    const removed = await this.versions.evict(sql, versions);
    await this.statistics.forgetVersions(sql, removed);
    const toFold = [...pending].flatMap(([eventId, parts]) => (parts < foldAt(eventId) ? [] : [eventId]));
    const folded = await this.fold(sql, toFold, versions);
    const changed = new Set([...[...versions.fresh.keys()].map(({ eventId }) => eventId), ...toFold]);
    await this.storedBytes.count(sql, [...changed]);
    return { removed, sampled: samplesOf(sampled, versions, removed), unsampled: unsampledOf(models), folded };
  }

  private async fold(sql: Sql, eventIds: readonly string[], { rows }: AddedVersions): Promise<Learnt['folded']> {
    const learnt = new Map<string, Vain>();
    for (const eventId of eventIds) {
      for (const [versionId, vain] of await this.folding.fold(sql, [eventId])) {
        const row = rows.get(versionId);
        if (row !== undefined) learnt.set(versionId, { ...vain, row });
      }
    }
    return learnt;
  }

  private learn({ removed, sampled, unsampled, folded }: Learnt): void {
    for (const versionId of unsampled) this.vain.forget(versionId);
    for (const { versionId, row, priorities } of sampled) this.vain.learnSamples(versionId, row, priorities);
    for (const [versionId, vain] of folded) this.vain.learn(versionId, vain);
    for (const { versionId } of removed) this.vain.forget(versionId);
  }

  /**
   * Fails if a version was removed, perhaps by another process, and came back, or if its statistics were removed. They then need the
   * observations that this flush skipped.
   */
  private assertVainHolds(models: readonly ModelDelta[], { rows }: AddedVersions): void {
    const versions = models.flatMap((model) => [...model.versions.values()]);
    const stale = versions.filter(({ versionId, statistics: { vain } }) => vain && vain.row !== rows.get(versionId));
    for (const { versionId } of stale) this.vain.forget(versionId);
    if (stale.length > 0)
      throw new Error(`statistics of ${stale.length} versions were removed meanwhile, so the flush starts over`);
  }
}

/** Teaches nothing about models whose versions come and go. Each return would fail a flush. */
function samplesOf(
  models: readonly ModelDelta[],
  { rows }: AddedVersions,
  removed: readonly EvictedVersion[],
): Learnt['sampled'] {
  const unsteady = new Set(removed.map(({ eventId }) => eventId));
  return models.flatMap(({ eventId, versions }) => {
    if (unsteady.has(eventId)) return [];
    return [...versions.values()].flatMap(({ versionId, statistics: { priorities } }) => {
      const row = rows.get(versionId);
      return row === undefined ? [] : [{ versionId, row, priorities }];
    });
  });
}

/** Their statistics may be removed meanwhile. */
const unsampledOf = ({ admitted, sampled }: LockedModels): string[] => {
  const kept = new Set(sampled);
  return admitted.flatMap((model) =>
    kept.has(model) ? [] : Array.from(model.versions.values(), ({ versionId }) => versionId),
  );
};

/** Number and bytes of increments by model. */
function addedBy(increments: readonly Increment[]): Map<string, AddedIncrements> {
  const added = new Map<string, AddedIncrements>();
  for (const increment of increments) {
    const { parts, bytes } = added.get(increment.eventId) ?? { parts: 0, bytes: 0 };
    added.set(increment.eventId, { parts: parts + 1, bytes: bytes + bytesOfIncrement(increment) });
  }
  return added;
}

function noteEpoch(epochs: Map<number, number>, batch: IncomingBatch): void {
  const { epoch = 0 } = batch;
  const partition = partitionOfBatch(batch);
  epochs.set(partition, Math.min(epoch, epochs.get(partition) ?? epoch));
}

/** Between half and all of the limit, depending on the model, so that one flush does not fold all models. */
function foldAt(eventId: string): number {
  return PENDING_INCREMENTS_MAX / 2 + (Number.parseInt(eventId.slice(0, 4), 16) % (PENDING_INCREMENTS_MAX / 2));
}

/** Encodes the increments in slices, because unknown shapes can come by the thousand. A surplus makes one for its model. */
async function incrementsOf(models: readonly ModelDelta[], { surplus }: AddedVersions): Promise<Increment[]> {
  const slices = new Slices();
  const increments: Increment[] = [];
  for (const model of models) {
    const { eventId, versions } = model;
    const left = new Set(surplus.get(model));
    const ofModel = Statistics.none('model');
    for (const version of versions.values()) {
      const { versionId, statistics } = version;
      during('collector.encode', () => {
        if (left.has(version)) statistics.addTo(ofModel);
        else increments.push({ eventId, versionId, ...statistics.encode() });
      });
      if (slices.isOver) await slices.next();
    }
    if (left.size > 0) increments.push({ eventId, versionId: null, ...ofModel.encode() });
  }
  return increments;
}

function countRefused({ models, skipped }: Delta, admitted: readonly { count: number }[]): void {
  const total = (some: readonly { count: number }[]) => some.reduce((sum, { count }) => sum + count, 0);
  const refused = total(models) - total(admitted);
  if (refused > 0) skipped.set('models', refused);
}
