import { expect } from '@jest/globals';
import { isJsonObject, type JsonObject } from '@weir/contracts';
import type { DestinationKind } from '../src/kind.js';
import { valueAt } from '../src/toolkit/index.js';

/** A copy of an event with values at these paths, such as `context.traits.phone`. A number names a place in a list. */
export const withValues = (event: JsonObject, values: JsonObject): JsonObject =>
  Object.entries(values).reduce(
    (soFar, [path, value]) => withValue(soFar, path.split('.'), structuredClone(value)) as JsonObject,
    structuredClone(event),
  );

function withValue(within: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  if (/^\d+$/.test(key)) {
    const list = Array.isArray(within) ? [...within] : [];
    list[Number(key)] = withValue(list[Number(key)], rest, value);
    return list;
  }
  const object = isJsonObject(within) ? within : {};
  return { ...object, [key]: withValue(object[key], rest, value) };
}

/** The body that a kind makes of an event with more values: that of its payload at this place, by default the first. */
export const bodyWith =
  (kind: DestinationKind, config: JsonObject, event: JsonObject, place = 0) =>
  (values: JsonObject): JsonObject =>
    kind.transform(withValues(event, values), config)[place]?.body.JSON ?? {};

/** A key that a kind fills, the paths of its sources in order, and what it makes of a text. */
export type SourcesRow = [key: string, paths: readonly string[], converted: (text: string) => unknown];
export const asItIs = (text: string): string => text;

/** The payloads that a kind makes of an event with these values. */
type Made = (values: JsonObject) => JsonObject;

/** Expects that each path fills the key, and that it wins over all later ones. */
export function expectSources(made: Made, [key, paths, converted]: SourcesRow): void {
  const winners = paths.map((path, place) => {
    const values = paths.slice(place).map((later) => [later, later === path ? 'One@Example.com' : 'two@example.com']);
    return [path, valueAt(made(Object.fromEntries(values)), key)];
  });
  expect(winners).toEqual(paths.map((path) => [path, converted('One@Example.com')]));
}
