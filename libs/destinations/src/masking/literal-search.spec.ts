import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LABELS, LiteralSearch } from './literal-search.js';

const bytes = (text: string) => Buffer.from(text, 'latin1');

/** Gives each literal its own label. */
function found(literals: string[], text: string): { hits: [string | undefined, number, number][]; open: number } {
  const hits: [string | undefined, number, number][] = [];
  const search = new LiteralSearch(
    literals.map((literal, label) => ({ label, prefix: bytes(literal), length: literal.length })),
  );
  const open = search.run(bytes(text), (label, start, end) => void hits.push([literals[label], start, end]));
  return { hits, open };
}

describe('LiteralSearch', () => {
  it.each<[string, string[], string, [string, number, number][]]>([
    ['nothing', ['ab'], 'a b', []],
    [
      'each occurrence',
      ['ab'],
      'ab-ab',
      [
        ['ab', 0, 2],
        ['ab', 3, 5],
      ],
    ],
    [
      'what overlaps',
      ['aba'],
      'ababa',
      [
        ['aba', 0, 3],
        ['aba', 2, 5],
      ],
    ],
    [
      'what is part of another',
      ['abcd', 'bc'],
      'abcd',
      [
        ['bc', 1, 3],
        ['abcd', 0, 4],
      ],
    ],
    [
      'what ends together',
      ['abcd', 'cd'],
      'abcd',
      [
        ['abcd', 0, 4],
        ['cd', 2, 4],
      ],
    ],
    ['what follows a beginning of another', ['abcx', 'bcd'], 'abcd', [['bcd', 1, 4]]],
    ['no empty literal', [''], 'abc', []],
  ])('finds %s', (_, literals, text, hits) => {
    expect(found(literals, text).hits).toEqual(hits);
  });

  it('tells how much of a literal stands at the end', () => {
    expect(found(['secret', 'cream'], 'a secre').open).toBe(5);
    expect(found(['secret', 'cream'], 'a sec').open).toBe(3);
    expect(found(['secret', 'cream'], 'a sex').open).toBe(0);
  });

  it('takes literals of one label together: from the first beginning to the furthest end', () => {
    const start = 'x'.repeat(32);
    const literals = [`${start}one`, `${start}twotwo`, `xx`].map((text) => ({
      ...{ label: 5, prefix: bytes(text), length: text.length },
    }));
    const hits: unknown[] = [];
    new LiteralSearch(literals).run(bytes(`.${start}one`), (...hit) => void hits.push(hit));
    expect(hits.at(-1)).toEqual([5, 1, 33 + 'twotwo'.length]);
  });

  it('finds what a plain search finds', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 5 });
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 60 });
    const plain = (literals: string[], where: string) =>
      literals.flatMap((literal) =>
        [...where].flatMap((_, start) => (where.startsWith(literal, start) ? [`${literal}@${start}`] : [])),
      );
    fc.assert(
      fc.property(fc.array(word, { maxLength: LABELS }), text, (literals, where) => {
        const hits = found(literals, where).hits.map(([label, start]) => `${label}@${start}`);
        expect(hits.sort()).toEqual(plain(literals, where).sort());
      }),
      { numRuns: 500 },
    );
  });
});
