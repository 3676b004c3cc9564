import { createHash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import fc from 'fast-check';
import { Flattener } from './flatten.js';
import { MODEL_SCHEMA_BYTES_MAX } from './limits.js';
import { PathTrie } from './path-trie.js';
import { shapeOf, typeNames, unionSchemas } from './schema.js';

const hashOf = (event: Record<string, unknown>) => {
  const leaves = new Flattener(new PathTrie()).flatten(event);
  return leaves && shapeOf(leaves).hash;
};

it('is the same in every process', () => {
  expect(hashOf({ b: 'x', a: { c: 1 } })).toBe(hashOf({ a: { c: 2 }, b: 'y' }));
  expect(hashOf({})).toBe('4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945'); // SHA-256 of `[]`
});

it('tells shapes apart whatever separators their keys hold', () => {
  const shapes = [{ 'a:string,b': 'x' }, { a: 'x', b: 'x' }, { 'a","string"],["b': 'x' }, { a: 'x', b: 1 }];
  expect(new Set(shapes.map(hashOf)).size).toBe(shapes.length);
});

it('hashes pairs in the order of their texts, because stored versions are named by this hash', () => {
  const key = fc.constantFrom('a', 'a.b', 'b', 'a!', 'a"', 'a-x', '0', 'A', '\u{1F600}', '\uFFFD');
  const { object } = fc.letrec((tie) => ({ object: fc.dictionary(key, fc.oneof(fc.constant(1), tie('object'))) }));
  const plainHash = (event: object) => {
    const paths = new Set(textsOf(event).sort());
    return createHash('sha256')
      .update(JSON.stringify([...paths].map((path) => [path, 'float64'])))
      .digest('hex');
  };
  fc.assert(fc.property(object as fc.Arbitrary<JsonObject>, (event) => expect(hashOf(event)).toBe(plainHash(event))));
});

const textsOf = (value: object, prefix = ''): string[] =>
  Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'object' ? textsOf(inner, `${prefix}${key}.`) : `${prefix}${key}`,
  );

it('names types in one order', () => {
  expect([1, 2, 4, 3, 7].map(typeNames)).toEqual([
    'string',
    'float64',
    'bool',
    'float64,string',
    'bool,float64,string',
  ]);
});

const map = (schema: Record<string, string>) => new Map(Object.entries(schema));

it('joins types in the order in which they came, each once, and says which version changed what', () => {
  const { schema, changes } = unionSchemas(map({ a: 'string' }), [
    map({ a: 'float64', b: 'bool' }),
    map({ b: 'bool' }),
    map({ a: 'bool,float64,string', c: 'string' }),
  ]);
  expect(schema).toEqual(map({ a: 'string,float64,bool', b: 'bool', c: 'string' }));
  expect(changes).toEqual([
    [
      { path: 'a', before: 'string', after: 'string,float64' },
      { path: 'b', before: undefined, after: 'bool' },
    ],
    [],
    [
      { path: 'a', before: 'string,float64', after: 'string,float64,bool' },
      { path: 'c', before: undefined, after: 'string' },
    ],
  ]);
});

it('does not take float for a part of another name', () => {
  expect(unionSchemas(map({ a: 'float64' }), [map({ a: 'float' })]).schema).toEqual(map({ a: 'float64,float' }));
});

it('stops growing at its limit and keeps what it has', () => {
  const wide = (name: string) =>
    new Map(Array.from({ length: 1_000 }, (_, at) => [`${name}${'x'.repeat(100)}${at}`, 'string']));
  const versions = Array.from({ length: 10 }, (_, at) => wide(`v${at}`));
  const { schema } = unionSchemas(map({ first: 'bool' }), versions);
  const bytes = Buffer.byteLength(JSON.stringify(Object.fromEntries(schema)));

  expect(schema.get('first')).toBe('bool');
  expect(bytes).toBeLessThanOrEqual(MODEL_SCHEMA_BYTES_MAX);
  expect(bytes).toBeGreaterThan(MODEL_SCHEMA_BYTES_MAX * 0.9);
  expect(unionSchemas(schema, [wide('more')])).toEqual({ schema, changes: [[]] });
});
