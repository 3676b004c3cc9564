import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { problemsIn } from './find.mjs';

const directory = mkdtempSync(join(tmpdir(), 'weir-guest-'));
afterAll(() => rmSync(directory, { recursive: true }));

function problemsOf(code) {
  const path = join(directory, 'guest.ts');
  writeFileSync(path, `export {};\n${code}\n`);
  return problemsIn([path]).map((problem) => problem.replace(/^\S+ /, ''));
}

describe('check:guest', () => {
  it.each([
    ['a method of a text', 'export const a = (t: string) => t.slice(1);', /^\.slice\(\) can be replaced/],
    ['a method of nobody knows what', 'export const a = (t: any) => t.slice(1);', /^\.slice\(\) can be replaced/],
    ['a global', 'export const a = (t: unknown) => String(t);', /^String can be replaced/],
    [
      'for…of',
      'export function a(list: ArrayLike<number> & Iterable<number>) { for (const one of list) void one; }',
      /^for…of/,
    ],
    [
      'a spread list',
      'declare const f: (...x: number[]) => void; export const a = (l: number[]) => f(...l);',
      /^a spread/,
    ],
    ['a list taken apart', 'export const a = ([one]: number[]) => one;', /^taking a list apart/],
    ['a list of its own', 'export const a = () => [1];', /^this list/],
    ['a pattern', 'export const a = () => /x/;', /^a pattern/],
    ['a field that may be missing', 'export const a = (b: { c?: number }) => b.c;', /^\.c may be missing/],
    ['such a field taken out', 'export const a = ({ c }: { c?: number }) => c;', /^c may be missing/],
  ])('finds %s', (_what, code, problem) => {
    expect(problemsOf(code)).toEqual([expect.stringMatching(problem)]);
  });

  it('takes functions that were bound, own methods, and fields that are always there', () => {
    const code = `
      declare const sliceText: (text: string, from: number) => string;
      class Own { #a = 1; one(): number { return this.#a; } }
      export const a = (t: string, own: Own, b: { c: number | undefined }) => own.one() + (b.c ?? 0) + sliceText(t, 1).length;`;
    expect(problemsOf(code)).toEqual([]);
  });
});
