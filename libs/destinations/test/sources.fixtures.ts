import { expect } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { setAt, valueAt } from '../src/toolkit/index.js';

/** A copy of an event with values at these paths, such as `context.traits.phone`. */
export function withValues(event: JsonObject, values: JsonObject): JsonObject {
  const copy = structuredClone(event);
  for (const [path, value] of Object.entries(structuredClone(values))) setAt(copy, path, value);
  return copy;
}

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
