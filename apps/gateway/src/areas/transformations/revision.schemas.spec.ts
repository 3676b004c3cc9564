import { describe, expect, it } from '@jest/globals';
import { parseBody, parseQuery } from '../../http/validate.js';
import {
  CreateTransformationBody,
  PublishQuery,
  UpdateTransformationBody,
  VersionsQuery,
  WriteQuery,
} from './revision.schemas.js';

const base = { name: 'T', code: 'export {}' };

describe('a transformation body', () => {
  it('takes events as one object or as a list', () => {
    expect(parseBody(CreateTransformationBody, { ...base, events: { a: 1 } }).events).toEqual([{ a: 1 }]);
    expect(parseBody(CreateTransformationBody, { ...base, events: [{ a: 1 }, {}] }).events).toEqual([{ a: 1 }, {}]);
  });

  it('keeps empty texts, which clear a field, and drops unknown keys', () => {
    const body = parseBody(UpdateTransformationBody, { description: '', destinations: ['x'], id: 'y' });
    expect(body).toEqual({ description: '' });
  });

  it.each([
    ['name', { code: 'c' }, 'name is required'],
    ['code', { name: 'T' }, 'code is required'],
    ['name', { ...base, name: 7 }, 'name must be a string'],
    ['description', { ...base, description: null }, 'description must be a string'],
    ['events', { ...base, events: 'all' }, 'events must be an event or a list of events'],
    ['events', { ...base, events: [1] }, 'events must be an event or a list of events'],
    ['destinationIds', { ...base, destinationIds: 'x' }, 'destinationIds must be an array'],
    ['destinationIds.0', { ...base, destinationIds: [1] }, 'destinationIds.0 must be a string'],
  ])('names %s in what it refuses', (field, body, message) => {
    expect(() => parseBody(CreateTransformationBody, body)).toThrow(
      expect.objectContaining({ code: 'invalid', message, details: { [field]: expect.any(String) } }),
    );
  });
});

describe('queries', () => {
  it.each([
    [{}, false],
    [{ publish: 'true' }, true],
    [{ publish: 'TRUE' }, true],
    [{ publish: 'False' }, false],
  ])('publish of %p is %p', (query, publish) => {
    expect(parseQuery(PublishQuery, query)).toEqual({ publish });
  });

  it.each([
    [{}, { count: 5, orderBy: 'ASC' }],
    [
      { count: '100000', orderBy: 'desc' },
      { count: 100_000, orderBy: 'DESC' },
    ],
    [{ orderBy: 'Asc' }, { count: 5, orderBy: 'ASC' }],
  ])('versions of %p are %p', (query, expected) => {
    expect(parseQuery(VersionsQuery, query)).toEqual(expected);
  });

  it.each([
    [PublishQuery, { publish: 'yes' }],
    [PublishQuery, { publish: '' }],
    [PublishQuery, { publish: ['true', 'true'] }],
    [VersionsQuery, { count: '0' }],
    [VersionsQuery, { count: '100001' }],
    [VersionsQuery, { count: '2.5' }],
    [VersionsQuery, { count: 'all' }],
    [VersionsQuery, { orderBy: 'newest' }],
  ])('refuses %# %p', (schema, query) => {
    expect(() => parseQuery(schema, query)).toThrow(expect.objectContaining({ code: 'invalid' }));
  });
});

describe('replaySamples of a write', () => {
  const parsed = (query: Record<string, string>) => parseQuery(WriteQuery, query);

  it('goes with publish=true', () => {
    expect(parsed({})).toEqual({ publish: false, replace: true, replaySamples: 0 });
    expect(parsed({ publish: 'true', replaySamples: '100' })).toMatchObject({ publish: true, replaySamples: 100 });
    expect(parsed({ replaySamples: '0' }).replaySamples).toBe(0);
  });

  it.each([
    { replaySamples: '5' },
    { publish: 'false', replaySamples: '5' },
    { publish: 'true', replaySamples: '101' },
  ])('is refused in %j', (query) => {
    expect(() => parsed(query)).toThrow(/^replaySamples (requires publish=true|must be an integer)/);
  });
});
