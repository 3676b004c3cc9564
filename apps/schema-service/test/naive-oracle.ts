import type { EventBatch, JsonObject } from '@weir/contracts';

/**
 * The results that the six reads have to show, computed from all events at once in the plainest way. Shares no code with the
 * service.
 */
export interface Expected {
  total: number;
  keyCounts: Record<string, number>;
  /** Keyed by path, then by value. */
  values: Record<string, Record<string, number>>;
  types: Record<string, string[]>;
  /** Keyed by JSON of sorted [path, types]. */
  versions: Record<string, number>;
}

type Batch = Pick<EventBatch, 'writeKey' | 'events'>;

/** Keyed by `writeKey/type/identifier`. The events must be fit for modelling, and no dotted key may lead to a path twice. */
export function expectedOf(batches: readonly Batch[]): Record<string, Expected> {
  const models: Record<string, Expected> = {};
  for (const { writeKey, events } of batches) {
    for (const event of events) {
      const key = [writeKey, event['type'], event['event'] ?? event['name'] ?? ''].join('/');
      models[key] ??= { total: 0, keyCounts: {}, values: {}, types: {}, versions: {} };
      addEvent(models[key], event);
    }
  }
  return models;
}

function addEvent(model: Expected, event: JsonObject): void {
  const leaves = leavesOf(event, []);
  model.total += 1;
  for (const [path, type, value] of leaves) {
    model.keyCounts[path] = (model.keyCounts[path] ?? 0) + 1;
    model.types[path] = [...new Set([...(model.types[path] ?? []), type])].sort();
    model.values[path] ??= {};
    model.values[path][value] = (model.values[path][value] ?? 0) + 1;
  }
  const shape = shapeKey(leaves.map(([path, type]) => [path, type]));
  model.versions[shape] = (model.versions[shape] ?? 0) + 1;
}

export const shapeKey = (pairs: [string, string][]) =>
  JSON.stringify([...pairs].sort(([left], [right]) => (left < right ? -1 : 1)));

function leavesOf(value: unknown, path: string[]): [path: string, type: string, value: string][] {
  if (value === null) return [];
  if (typeof value === 'object') {
    return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
  }
  const type = { string: 'string', number: 'float64', boolean: 'bool' }[typeof value as string] ?? 'unknown';
  return [[path.join('.'), type, String(value)]];
}
