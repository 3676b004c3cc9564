import { describe, expect, it } from '@jest/globals';
import { nullableObject, pagingOf } from './fields.js';

describe('pagingOf', () => {
  it.each([
    [1, 0, undefined],
    [1, 50, undefined],
    [1, 51, '/v2/sources?page=2'],
    [2, 101, '/v2/sources?page=3'],
    [3, 101, undefined],
    [9, 101, undefined],
  ])('page %d of %d rows goes on at %s', (page, total, next) => {
    expect(pagingOf('/v2/sources', page, total)).toEqual(next ? { total, next } : { total });
  });

  it('keeps the filters of the list', () => {
    expect(pagingOf('/v2/connections', 1, 60, { hasExternalId: 'true' }).next).toBe(
      '/v2/connections?page=2&hasExternalId=true',
    );
  });
});

describe('nullableObject', () => {
  it('takes null for an empty object, and no array', () => {
    expect(nullableObject.parse(null)).toEqual({});
    expect(nullableObject.safeParse([]).success).toBe(false);
  });
});
