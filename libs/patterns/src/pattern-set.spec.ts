import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MATCHED_LENGTH_MAX, PATTERN_SIZE_MAX, PatternRefused, PatternSet } from './pattern-set.js';

const placesOf = (patterns: string[], text: string) => [...PatternSet.of(patterns).fitting(text)].sort();
const reasonOf = (...patterns: string[]) => {
  try {
    PatternSet.of(patterns);
  } catch (error) {
    return error instanceof PatternRefused ? `${error.index}: ${error.reason}` : error;
  }
  return undefined;
};

/** Patterns and texts over few characters, so that they often match. */
const atom = fc.oneof(
  fc.constantFrom('a', 'b', 'É', ' ', '.', '\\d', '\\w', '\\W', '[ab]', '[^a]', '\\.', '\\/', '/', '\\b', '^', '$'),
  fc.constantFrom('[]', '[^]', '\\u0061', '\\x62', '(?<n>a)', '\\-', '-', '\\cJ', '{', '}', 'x{,2}'),
);
const { pattern } = fc.letrec<{ pattern: string; group: string; piece: string }>((tie) => ({
  pattern: fc.array(tie('piece'), { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join('')),
  group: fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(?:${one}|${other})`),
  piece: fc
    .tuple(fc.oneof({ maxDepth: 2 }, atom, tie('group')), fc.constantFrom('', '', '?', '*', '+', '{2}', '{1,3}', '*?'))
    .map((parts) => parts.join('')),
}));
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'É', ' ', '.', '-', '1', '\n', '/', '{'), maxLength: 12 });

describe('patterns', () => {
  it('fit what JavaScript has them fit', () => {
    fc.assert(
      fc.property(pattern, text, (source, name) => {
        let native: RegExp;
        try {
          native = new RegExp(source);
        } catch {
          return fc.pre(false);
        }
        // RE2 has no repetition of a repetition, and a group name may occur only once.
        if (reasonOf(source)) return fc.pre(false);
        expect([source, name, placesOf([source], name).length > 0]).toEqual([source, name, native.test(name)]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('are told apart by their index', () => {
    expect(placesOf(['^Order', 'paid$', 'x', 'Order paid'], 'Order paid')).toEqual([0, 1, 3]);
    expect(placesOf([], 'Order paid')).toEqual([]);
  });

  it('see the beginning of a long text only', () => {
    expect(placesOf(['ab'], `${'-'.repeat(MATCHED_LENGTH_MAX - 2)}ab`)).toEqual([0]);
    expect(placesOf(['ab'], `${'-'.repeat(MATCHED_LENGTH_MAX - 1)}ab`)).toEqual([]);
  });

  it.each([
    ['(?=a)b', 'look-ahead ((?=)'],
    ['a(?!b)', 'look-ahead ((?!)'],
    ['(?<=a)b', 'look-behind ((?<=)'],
    ['(?<!a)b', 'look-behind ((?<!)'],
    ['(a)\\1', 'a back reference (\\1)'],
    ['(?<x>a)\\k<x>', 'a back reference (\\k)'],
    ['(?>a)', 'an atomic group ((?>)'],
    ['a++', 'a possessive quantifier (++)'],
    ['a{2}+', 'a possessive quantifier ({2}+)'],
    ['(?i)a', 'a flag or group of another dialect ((?i)'],
    ['(?(a)b)', 'a condition ((?()'],
    ['\\Qa\\E', 'the escape \\Q'],
  ])('%s is refused, naming %s', (source, feature) => {
    expect(reasonOf('fine', source)).toBe(
      `1: cannot have ${feature}: patterns are matched in linear time, as RE2 does it`,
    );
  });

  it.each(['(', 'a)', '[', '*', '[b-a]', '\\'])('%s is not a pattern', (source) => {
    expect(reasonOf(source)).toMatch(/^0: is not a pattern: /);
  });

  it.each([
    '\\++', // an escaped plus, repeated
    '[(?=]', // a class and not a group
    '\\(?=', // an escaped parenthesis, which is optional
    '[\\]a++]',
    '(?<word>a)',
  ])('%s is taken as it is meant', (source) => {
    expect(reasonOf(source)).toBeUndefined();
  });

  it('are bounded together, with their repetitions written out', () => {
    const tooLong = `makes the patterns longer than ${PATTERN_SIZE_MAX} characters together, repetitions written out`;
    expect(reasonOf('a'.repeat(PATTERN_SIZE_MAX))).toBeUndefined();
    expect(reasonOf('a'.repeat(PATTERN_SIZE_MAX), 'b')).toBe(`1: ${tooLong}`);
    expect(reasonOf(`a{${PATTERN_SIZE_MAX}}`)).toBeUndefined();
    for (const source of ['\\pL{171}', '(?:abc){200}', '(?:(?:a{9}){9}){9}', 'a{1,513}', 'a{512,}', '((a){100}){2}']) {
      expect([source, reasonOf(source)]).toEqual([source, `0: ${tooLong}`]);
    }
  });

  it('end in time, whatever they and their texts are', () => {
    const hostile = ['(a+)+$', '(a*)*b', '(a|aa)+$', '(.*a){25}b', '(?:a?){60}a{60}', '^(([a-z])+.)+[A-Z]([a-z])+$'];
    // A backtracking engine would never finish with any of these.
    for (const source of hostile) expect(placesOf([source], `${'a'.repeat(59)}!`)).toEqual([]);
  });
});
