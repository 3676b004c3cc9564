import { Injectable } from '@nestjs/common';
import { during, Slices } from '@weir/messaging';
import { DataSource } from 'typeorm';
import { holdsSampled, withoutSampled } from '../aggregation/sample.js';
import type { StoredStatistics } from '../aggregation/statistics.js';
import { holdsValue, withoutValues } from '../aggregation/stored-counters.js';
import { FoldService } from '../statistics/fold.service.js';
import { StatisticsRepository } from '../statistics/statistics.repository.js';
import { ModelPurgeRepository, type StoredRow } from './model-purge.repository.js';
import type { UserTraces } from './traces.js';

/** Models of one step, and the bytes that they may store together. A whole step is in memory, and one model may be that large. */
const MODELS_AT_ONCE = 200;
const BYTES_AT_ONCE = 8_388_608;

/** Removes users from samples and frequent values, some models at a time. */
@Injectable()
export class ModelPurge {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: ModelPurgeRepository,
    private readonly statistics: StatisticsRepository,
    private readonly folding: FoldService,
  ) {}

  /** Purges the next models after `after`, and returns the last id. Undefined if there was none. */
  async purgeSome(workspaceId: string, traces: UserTraces, after: string): Promise<string | undefined> {
    const page = await this.repository.models(this.dataSource, { workspaceId, after, limit: MODELS_AT_ONCE });
    const some = fitting(page);
    // Looks before it locks. Most models hold nothing of these users, and their flushes need not wait.
    const suspects = await suspectsAmong(await this.repository.rows(this.dataSource, some), traces);
    if (suspects.size > 0) await this.clean([...suspects], traces);
    return some.at(-1);
  }

  /** Folds first, because only the folded total shows whether one user alone had a value. */
  private async clean(eventIds: string[], traces: UserTraces): Promise<void> {
    await this.dataSource.transaction(async (sql) => {
      await this.repository.lock(sql, eventIds);
      await this.folding.fold(sql, eventIds);
      await this.statistics.store(sql, await cleaned(await this.statistics.foldedOf(sql, eventIds), traces));
    });
  }
}

/** Takes at least one model. */
function fitting(page: readonly { eventId: string; bytes: number }[]): string[] {
  let bytes = 0;
  const end = page.findIndex((model, at) => {
    bytes += model.bytes;
    return at > 0 && bytes > BYTES_AT_ONCE;
  });
  return page.slice(0, end === -1 ? page.length : end).map(({ eventId }) => eventId);
}

/** Models that hold something of the users. */
async function suspectsAmong(rows: readonly StoredRow[], traces: UserTraces): Promise<Set<string>> {
  const slices = new Slices();
  const suspects = new Set<string>();
  for (const { eventId, values, samples } of rows) {
    if (suspects.has(eventId)) continue;
    const isSuspect = during('purge.look', () => isValueOf(traces, values) || isSampleOf(traces, samples));
    if (isSuspect) suspects.add(eventId);
    if (slices.isOver) await slices.next();
  }
  return suspects;
}

const isValueOf = (traces: UserTraces, values: string) =>
  holdsValue(values, (value, path, userKey) => traces.isValue(value, path, userKey));
const isSampleOf = (traces: UserTraces, samples: string) => holdsSampled(samples, (event) => traces.isIn(event));

/** Only the rows that held something of the users, without it. */
async function cleaned<Row extends StoredStatistics>(rows: readonly Row[], traces: UserTraces): Promise<Row[]> {
  const slices = new Slices();
  const changed: Row[] = [];
  for (const row of rows) {
    const left = during('purge.clean', () => without(row, traces));
    if (left) changed.push(left);
    if (slices.isOver) await slices.next();
  }
  return changed;
}

function without<Row extends StoredStatistics>(row: Row, traces: UserTraces): Row | undefined {
  const samples = withoutSampled(row.samples, (event) => traces.isIn(event));
  const values = withoutValues(row.values, (value, path, userKey) => traces.isValue(value, path, userKey));
  if (samples === undefined && values === undefined) return undefined;
  return { ...row, samples: samples ?? row.samples, values: values ?? row.values };
}
