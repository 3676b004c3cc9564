import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { GENERIC_FIELDS, property, trait } from './generic-fields.js';
import * as kit from './index.js';

const fields = Object.entries(GENERIC_FIELDS);

it('a trait is looked up in the event under each name, and then in its context', () => {
  expect(trait('a', 'b')).toEqual(['traits.a', 'traits.b', 'context.traits.a', 'context.traits.b']);
  expect(property('a', 'b')).toEqual(['properties.a', 'properties.b']);
});

describe('generic fields', () => {
  it.each(fields)('%s is what kinds use under this name', (name, { from }) => {
    expect(Reflect.get(kit, name)).toEqual(from);
  });

  it.each(fields)('%s falls back along its paths in order', (_, { from }) => {
    const paths = [from].flat();
    const event: JsonObject = {};
    for (const path of paths.toReversed()) {
      kit.setAt(event, path, `value of ${path}`);
      expect(kit.firstAt(event, paths)).toBe(`value of ${path}`);
    }
  });
});
