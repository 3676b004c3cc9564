import type { Delta } from '../src/aggregation/aggregator.js';
import { compareText, unionSchemas } from '../src/aggregation/schema.js';
import { Statistics } from '../src/aggregation/statistics.js';
import { type Expected, shapeKey } from './naive-oracle.js';

export interface StoredVersion {
  total: number;
  schema: ReadonlyMap<string, string>;
  statistics: Statistics;
}

export interface StoredModel extends StoredVersion {
  versions: Map<string, StoredVersion>;
}

/** Stores deltas as the database does, but without limits. */
export class MemoryStore {
  /** Keyed by `writeKey/type/identifier`. */
  readonly models = new Map<string, StoredModel>();

  add({ models }: Delta): void {
    for (const delta of models) {
      const name = [delta.writeKey, delta.eventType, delta.eventIdentifier].join('/');
      const none = { total: 0, schema: new Map(), statistics: Statistics.none('model'), versions: new Map() };
      const model: StoredModel = this.models.get(name) ?? none;
      this.models.set(name, model);
      model.total += delta.count;
      for (const { versionId, schema, count, statistics } of delta.versions.values()) {
        const version = model.versions.get(versionId) ?? {
          total: 0,
          schema: new Map(schema),
          statistics: Statistics.none('version'),
        };
        version.total += count;
        version.statistics.merge(Statistics.decode('version', statistics.encode()));
        model.statistics.merge(Statistics.decode('model', statistics.encode()));
        model.schema = unionSchemas(model.schema, [schema]).schema;
        model.versions.set(versionId, version);
      }
    }
  }

  described(): Record<string, Expected> {
    return Object.fromEntries([...this.models].map(([name, model]) => [name, describeModel(model)]));
  }
}

/** Paths of the model that the version lacks. */
export const missingKeys = ({ schema }: StoredModel, version: StoredVersion) =>
  [...schema.keys()].filter((path) => !version.schema.has(path)).sort(compareText);

function describeModel({ total, schema, statistics, versions }: StoredModel): Expected {
  const keyCounts: Record<string, number> = {};
  for (const version of versions.values()) {
    for (const path of version.schema.keys()) keyCounts[path] = (keyCounts[path] ?? 0) + version.total;
  }
  return {
    total,
    keyCounts,
    types: Object.fromEntries([...schema].map(([path, types]) => [path, types.split(',').sort()])),
    values: valuesOf(statistics),
    versions: Object.fromEntries([...versions.values()].map((one) => [shapeKey([...one.schema]), one.total])),
  };
}

/** Frequent values by path, as value to count. */
export function valuesOf({ values }: Statistics): Record<string, Record<string, number>> {
  return Object.fromEntries(
    Object.entries(values.frequent(100)).map(([path, listed]) => [
      path,
      Object.fromEntries(listed.map(({ Value, Frequency }) => [Value, Frequency])),
    ]),
  );
}
