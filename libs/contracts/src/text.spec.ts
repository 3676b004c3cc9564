import { afterEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { indexOfText } from './text.js';

const TEXT = 'a'.repeat(2_000);
const PART = `${'a'.repeat(200)}b${'a'.repeat(200)}`;
/** A search that restarts at every position needs half a million character reads for these lengths. */
const LOOKS_MAX = 6 * (TEXT.length + PART.length);

/** Texts over few letters with long search parts produce many near matches. */
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

  it.each([
    ['is not there', TEXT, -1],
    ['is there', `${TEXT}b${TEXT}`, TEXT.length - 200],
  ])('looks at each character a few times only, for a part that is hard to find and %s', (_, text, place) => {
    const native = jest.spyOn(String.prototype, 'indexOf');
    const looks = jest.spyOn(String.prototype, 'charCodeAt');
    expect(indexOfText(text, PART)).toBe(place);
    expect([native.mock.calls.length, looks.mock.calls.length < LOOKS_MAX]).toEqual([0, true]);
  });
  afterEach(() => void jest.restoreAllMocks());
});
