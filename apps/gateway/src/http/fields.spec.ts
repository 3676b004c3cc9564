import { describe, expect, it } from '@jest/globals';
import { instant, nullableObject } from './fields.js';

describe('nullableObject', () => {
  it('takes null for an empty object, and no array', () => {
    expect(nullableObject.parse(null)).toEqual({});
    expect(nullableObject.safeParse([]).success).toBe(false);
  });
});

describe('instant', () => {
  it('is a moment that JSON and the database can both write', () => {
    expect(instant.parse('2026-01-01T01:00:00+01:00')).toEqual(new Date('2026-01-01T00:00:00Z'));
    for (const odd of [
      '0000-01-01T00:00:00Z',
      '9999-12-31T23:59:59-14:00',
      '2026-01-01T00:00:00',
      '2026-02-30T00:00:00Z',
    ]) {
      expect(instant.safeParse(odd).success).toBe(false);
    }
  });
});
