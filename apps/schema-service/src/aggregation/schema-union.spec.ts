import { expect, it } from '@jest/globals';
import { MODEL_SCHEMA_BYTES_MAX } from './limits.js';
import { unionSchemas } from './schema-union.js';

const map = (schema: Record<string, string>) => new Map(Object.entries(schema));

it('joins types in the order in which they came, each once', () => {
  const union = unionSchemas(map({ a: 'string' }), [
    map({ a: 'float64', b: 'bool' }),
    map({ a: 'bool,float64,string', c: 'string' }),
  ]);
  expect(union).toEqual(map({ a: 'string,float64,bool', b: 'bool', c: 'string' }));
});

it('says when nothing changes', () => {
  expect(unionSchemas(map({ a: 'string,bool' }), [map({ a: 'bool' }), map({})])).toBeUndefined();
});

it('does not take float for a part of another name', () => {
  expect(unionSchemas(map({ a: 'float64' }), [map({ a: 'float' })])).toEqual(map({ a: 'float64,float' }));
});

it('stops growing at its limit and keeps what it has', () => {
  const wide = (name: string) =>
    new Map(Array.from({ length: 1_000 }, (_, at) => [`${name}${'x'.repeat(100)}${at}`, 'string']));
  const versions = Array.from({ length: 10 }, (_, at) => wide(`v${at}`));
  const union = unionSchemas(map({ first: 'bool' }), versions) ?? new Map();
  const bytes = Buffer.byteLength(JSON.stringify(Object.fromEntries(union)));

  expect(union.get('first')).toBe('bool');
  expect(bytes).toBeLessThanOrEqual(MODEL_SCHEMA_BYTES_MAX);
  expect(bytes).toBeGreaterThan(MODEL_SCHEMA_BYTES_MAX * 0.9);
  expect(unionSchemas(union, [wide('more')])).toBeUndefined();
});
