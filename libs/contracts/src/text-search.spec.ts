import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { indexOfText, replacedText } from './text-search.js';

/** What takes half a minute where each place of the text is tried by itself takes milliseconds here. */
const MS_MAX = 3_000;
const TEXT = 'a'.repeat(500_000);
const PART = `${'a'.repeat(60_000)}b${'a'.repeat(60_000)}`;

/** Few letters and long parts: everything nearly matches. */
const ab = (minLength: number, maxLength: number) =>
  fc.array(fc.constantFrom('a', 'b'), { minLength, maxLength }).map((letters) => letters.join(''));

describe('indexOfText', () => {
  it('finds what indexOf finds', () => {
    fc.assert(
      fc.property(ab(0, 400), ab(0, 70), fc.nat(30), fc.nat(20), (text, part, times, from) => {
        const long = part.repeat(times % 4);
        expect(indexOfText(text + long + text, long, from)).toBe((text + long + text).indexOf(long, from));
        expect(indexOfText(text, long, from)).toBe(text.indexOf(long, from));
      }),
    );
  });

  it('takes no longer for texts that are made to be hard to search', () => {
    const startedAt = performance.now();
    expect(indexOfText(TEXT, PART)).toBe(-1);
    expect(indexOfText(`${TEXT}b${TEXT}`, PART)).toBe(440_000);
    expect(performance.now() - startedAt).toBeLessThan(MS_MAX);
  });
});

describe('replacedText', () => {
  it('replaces what replaceAll replaces', () => {
    fc.assert(
      fc.property(ab(0, 300), ab(1, 90), (text, part) => {
        expect(replacedText(text + part + text, part, '$&')).toBe((text + part + text).split(part).join('$&'));
      }),
    );
  });
});
