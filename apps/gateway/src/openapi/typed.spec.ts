import { describe, expect, it } from '@jest/globals';
import { typed } from './typed.js';

describe('a schema for typed languages', () => {
  it.each([
    ['several types', { type: ['string', 'number'] }, { anyOf: [{ type: 'string' }, { type: 'number' }] }],
    [
      'several types and null, with what belongs to them',
      { type: ['string', 'number', 'null'], maxLength: 3 },
      { maxLength: 3, anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
    ],
    ['texts to choose from', { enum: ['a', 'b'] }, { type: 'string', enum: ['a', 'b'] }],
  ])('has one type in place of %s', (_, before, after) => {
    const around = (schema: object) => ({ type: 'object', properties: { list: { type: 'array', items: schema } } });
    expect(typed(around(before))).toEqual(around(after));
  });

  it.each([
    ['one type', { type: 'string' }],
    ['one type or null', { type: ['string', 'null'] }],
    ['choices of several types', { enum: ['a', 1] }],
    ['properties with these names', { properties: { type: { type: 'string' }, enum: { type: 'array' } } }],
  ])('keeps %s', (_, schema) => {
    expect(typed(schema)).toEqual(schema);
  });
});
