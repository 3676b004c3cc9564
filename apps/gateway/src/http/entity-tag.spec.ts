import { describe, expect, it } from '@jest/globals';
import { ifMatchTags, isKnown } from './entity-tag.js';

describe('If-Match', () => {
  it.each([
    [undefined, undefined],
    ['*', undefined],
    ['"a"', ['a']],
    [' "a" , "b" ', ['a', 'b']],
    ['W/"a"', []],
    ['""', ['']],
  ])('%j asks for %j', (header, tags) => {
    expect(ifMatchTags(header)).toEqual(tags);
  });

  it.each(['', 'a', '"a', '"a" "b"', '"a",'])('%j is refused', (header) => {
    expect(() => ifMatchTags(header)).toThrow(expect.objectContaining({ code: 'invalid' }));
  });
});

describe('If-None-Match', () => {
  it.each([
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ['*', true],
    ['"b"', false],
    ['a', false],
    ['', false],
  ])('%j knows "a": %j', (header, known) => {
    expect(isKnown(header, '"a"')).toBe(known);
  });
});
