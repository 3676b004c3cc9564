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
    ['"a", W/"b","c"', ['a', 'c']],
    ['"a,b"', ['a,b']],
    ['"é"', ['é']],
    [',"a",, "b" ,', ['a', 'b']],
  ])('%j asks for %j', (header, tags) => {
    expect(ifMatchTags(header)).toEqual(tags);
  });

  it.each(['', ',', 'a', '"a', '"a" "b"', '*, "a"', 'w/"a"', '"a b"', Array(21).fill('"a"').join()])(
    '%j is refused',
    (header) => {
      expect(() => ifMatchTags(header)).toThrow(expect.objectContaining({ code: 'invalid' }));
    },
  );
});

it('a long list of tags is read in one pass', () => {
  expect(() => ifMatchTags(`${' , '.repeat(5_000)}x`)).toThrow('must be * or entity tags');
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
