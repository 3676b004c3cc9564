import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { pathId, queryBoolean, queryInteger, requiredText } from './fields.js';
import { isBodyRequired, parseBody, parseParams, parseQuery } from './validate.js';

function refusalOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    const { code, message, details } = error as { code: string; message: string; details: unknown };
    return { code, message, details };
  }
}

describe('parseBody', () => {
  const schema = z.object({
    name: requiredText,
    tags: z.array(z.string()).max(2).optional(),
    kind: z.enum(['a', 'b']).optional(),
    deep: z.object({ count: z.int() }).optional(),
  });

  it('drops unknown keys', () => {
    expect(parseBody(schema, { name: 'x', workspaceId: 'other' })).toEqual({ name: 'x' });
  });

  it.each([
    [{}, { name: 'is required' }],
    [{ name: '  ' }, { name: 'must not be empty' }],
    [{ name: 3 }, { name: 'must be a string' }],
    [{ name: null }, { name: 'must be a string' }],
    [{ name: 'x'.repeat(257) }, { name: 'must be at most 256 characters long, and is 257' }],
    [{ name: 'x', kind: 'c' }, { kind: 'must be one of a, b' }],
    [{ name: 'x', tags: 'y' }, { tags: 'must be an array' }],
    [{ name: 'x', tags: ['y', 1] }, { 'tags.1': 'must be a string' }],
    [{ name: 'x', tags: ['1', '2', '3'] }, { tags: 'must be at most 2 items long, and is 3' }],
    [{ name: 'x', deep: { count: 1.5 } }, { 'deep.count': 'must be an integer' }],
    [{ deep: {} }, { name: 'is required', 'deep.count': 'is required' }],
    [[], { body: 'must be an object' }],
    ['text', { body: 'must be an object' }],
  ])('%j is refused with %j', (body, details) => {
    expect(refusalOf(() => parseBody(schema, body))).toMatchObject({ code: 'invalid', details });
  });

  it('says all problems in one sentence', () => {
    expect(refusalOf(() => parseBody(schema, { kind: 1 }))).toMatchObject({
      message: 'name is required; kind must be one of a, b',
    });
  });

  it('reads no body as one without fields, when every field is optional', () => {
    expect(parseBody(schema.partial(), undefined)).toEqual({});
    expect(isBodyRequired(schema.partial())).toBe(false);
    expect(isBodyRequired(schema)).toBe(true);
  });

  it('asks for a body where there is none', () => {
    expect(refusalOf(() => parseBody(schema, undefined))).toMatchObject({ message: 'A JSON body is required' });
  });
});

describe('parseQuery', () => {
  const schema = z.object({ publish: queryBoolean, count: queryInteger(1, 1000).default(5) });

  it.each([
    [{}, { count: 5 }],
    [
      { publish: 'TRUE', count: '7' },
      { publish: true, count: 7 },
    ],
    [
      { publish: 'false', other: ['a', 'b'] },
      { publish: false, count: 5 },
    ],
  ])('%j is read as %j where others may add their own parameters', (query, expected) => {
    expect(parseQuery(schema, query, true)).toEqual(expected);
  });

  it.each([
    [{ publish: 'yes' }, { publish: 'must be true or false' }],
    [{ publish: '' }, { publish: 'must be true or false' }],
    [{ count: '0' }, { count: 'must be an integer from 1 to 1000' }],
    [{ count: '1e3' }, { count: 'must be an integer from 1 to 1000' }],
    [{ count: ['1', '2'] }, { count: 'must be given once' }],
    [{ limit: '5' }, { limit: 'is not a parameter of this path, which takes publish, count' }],
    [{ Publish: 'true' }, { Publish: 'is not a parameter of this path, which takes publish, count' }],
    [{ ['x'.repeat(500)]: '' }, { [`${'x'.repeat(64)}…`]: expect.any(String) }],
  ])('%j is refused with %j', (query, details) => {
    expect(refusalOf(() => parseQuery(schema, query))).toMatchObject({ code: 'invalid', details });
  });
});

describe('parseParams', () => {
  const schema = z.object({ id: pathId('source') });

  it('answers a malformed id with the 404 of an unknown one', () => {
    expect(refusalOf(() => parseParams(schema, { id: "x' OR 1=1" }))).toEqual({
      code: 'not_found',
      message: 'source not found',
    });
  });
});
