import { beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import fc from 'fast-check';
import { Flattener } from './flatten.js';
import { EVENT_PATH_CHARS_MAX, EVENT_PATHS_MAX } from './limits.js';
import { PathTrie } from './path-trie.js';
import { shapeOf } from './schema.js';

let flattener: Flattener;
beforeEach(() => {
  flattener = new Flattener(new PathTrie());
});

const schemaOf = (event: JsonObject) => {
  const leaves = flattener.flatten(event);
  return leaves && Object.fromEntries(shapeOf(leaves).schema);
};
const leavesOf = (event: JsonObject) => {
  const { length, paths, values } = flattener.flatten(event) ?? { length: 0, paths: [], values: [] };
  return Array.from({ length }, (_, at) => ({ path: paths[at]?.text ?? '', value: values[at] }));
};
const valuesOf = (event: JsonObject) => Object.fromEntries(leavesOf(event).map(({ path, value }) => [path, value]));
const fingerprintOf = (event: JsonObject) => flattener.flatten(event)?.fingerprint;

describe('flattening', () => {
  it('joins keys and indexes with dots and leaves out what holds nothing', () => {
    expect(schemaOf({ a: { b: [1, null, { c: true }, [], {}], d: {} }, e: null, f: '', g: [[['deep']]] })).toEqual({
      'a.b.0': 'float64',
      'a.b.2.c': 'bool',
      f: 'string',
      'g.0.0.0': 'string',
    });
  });

  it('finds keys by name when they come in another order, or with nulls between them', () => {
    const events = [
      { a: 1, b: 2, c: 3 },
      { c: 3, a: 1 },
      { a: null, b: 2, x: null, c: 3 },
      { b: 2, c: 3, a: 1 },
    ];
    for (const event of events) {
      const { a, b, c } = event as Record<string, number | null>;
      const present = Object.entries({ a, b, c }).filter(([, value]) => typeof value === 'number');
      expect(valuesOf(event)).toEqual(Object.fromEntries(present));
    }
  });

  it('joins the types of a path that dotted keys reach twice, in any order of keys', () => {
    const one = { 'a.b': 'z', a: { b: 5 } };
    const other = { a: { b: 5 }, 'a.b': 'z' };
    expect(schemaOf(one)).toEqual({ 'a.b': 'float64,string' });
    expect(fingerprintOf(one)).toBe(fingerprintOf(other));
    expect(fingerprintOf(one)).not.toBe(fingerprintOf({ a: { b: 5 } }));
    expect(valuesOf(one)).toEqual(valuesOf(other));
    expect(fingerprintOf({ 'a.b': 1, a: { b: 2 } })).toBe(fingerprintOf({ a: { b: 3 } }));
  });

  it('leads from every way to write a path to one path, whichever came first', () => {
    const ways = [{ a: { b: { c: 1 } } }, { 'a.b.c': 1 }, { 'a.b': { c: 1 } }, { a: { 'b.c': 1 } }];
    for (const first of ways) {
      flattener = new Flattener(new PathTrie());
      flattener.flatten({ a: { b: { d: 1 } } });
      const fingerprint = fingerprintOf(first);
      expect(ways.map(fingerprintOf)).toEqual(ways.map(() => fingerprint));
    }
    expect(fingerprintOf({ a: { b: 1 }, 'a.b.': 1 })).not.toBe(fingerprintOf({ a: { b: 1 } }));
    expect(fingerprintOf({ '': { '': 1 } })).toBe(fingerprintOf({ '.': 1 }));
  });

  it('treats keys of prototypes as keys', () => {
    const event = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":2},"toString":"x"}');
    expect(schemaOf(event)).toEqual({
      '__proto__.polluted': 'float64',
      'constructor.prototype': 'float64',
      toString: 'string',
    });
    expect({}).not.toHaveProperty('polluted');
  });

  it('goes as deep as an event may go', () => {
    let event: JsonObject = { leaf: 1 };
    for (let depth = 0; depth < 5_000; depth += 1) event = { k: event };
    expect(leavesOf(event)).toHaveLength(1);
  });

  it('takes 1,024 paths of a sender beside those that the intake adds', () => {
    const added = ['messageId', 'rudderId', 'request_ip', 'receivedAt', 'originalTimestamp', 'sentAt', 'timestamp'];
    const event: JsonObject = { anonymousId: 'a', ...Object.fromEntries(added.map((key) => [key, 'x'])) };
    for (let at = 0; at < 1_024; at += 1) event[`k${at}`] = at;
    expect(leavesOf(event)).toHaveLength(1_032);
  });

  it('refuses an event of too many or too long paths, and takes the next one', () => {
    const wide = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));
    expect(leavesOf(wide(EVENT_PATHS_MAX))).toHaveLength(EVENT_PATHS_MAX);
    expect(flattener.flatten(wide(EVENT_PATHS_MAX + 1))).toBeUndefined();
    expect(leavesOf({ ['k'.repeat(EVENT_PATH_CHARS_MAX)]: 1 })).toHaveLength(1);
    expect(flattener.flatten({ ['k'.repeat(EVENT_PATH_CHARS_MAX)]: 1, k: 1 })).toBeUndefined();
    expect(schemaOf({ a: 1 })).toEqual({ a: 'float64' });
  });

  it('walks the fields of the author before the context, wherever they stand', () => {
    const context = { device: { id: 1 }, ip: 'x' };
    for (const event of [
      { type: 'track', properties: { plan: 'x' }, traits: { age: 1 }, context },
      { context, traits: { age: 1 }, type: 'track', properties: { plan: 'x' } },
    ]) {
      const flat = flattener.flatten(event);
      const paths = flat?.paths.slice(0, flat.length).map(({ text }) => text) ?? [];
      expect(paths.slice(0, 3)).toEqual(['type', 'properties.plan', 'traits.age']);
    }
  });

  it('gives equal fingerprints to equal shapes and to no others', () => {
    const key = fc.constantFrom('a', 'b', 'a.b', 'a:string,b', '0', '');
    const scalar = fc.oneof(fc.constantFrom('x', '5', ''), fc.integer(), fc.boolean(), fc.constant(null));
    const { event } = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, scalar, tie('event'), fc.array(tie('value'), { maxLength: 3 })),
      event: fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    }));
    const shapes = new Map<string, string>();
    fc.assert(
      fc.property(event as fc.Arbitrary<JsonObject>, (one) => {
        const flat = flattener.flatten(one);
        if (!flat) throw new Error('small events are never refused');
        const { hash } = shapeOf(flat);
        expect(shapes.get(flat.fingerprint) ?? hash).toBe(hash);
        shapes.set(flat.fingerprint, hash);
      }),
      { numRuns: 2_000 },
    );
    expect(new Set(shapes.values()).size).toBe(shapes.size);
  });
});
