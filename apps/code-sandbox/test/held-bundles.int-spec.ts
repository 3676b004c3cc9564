import { describe, expect, it } from '@jest/globals';
import { HELD_BUNDLES_CHARS_MAX } from '../src/limits.js';
import { ok, type Program, useSandbox } from './support/sandbox.js';

/** A child holds code between runs, so that each crosses the socket once. */
describe('code that a child holds', () => {
  const sandbox = useSandbox({ children: 2 });
  const numbered = (n: number, chars = 0): Program => ({
    code: `export const transformEvent = (e) => ({ n: ${n} }); // ${'x'.repeat(chars)}`,
  });
  const resultOf = async (program: Program) => (await sandbox.results(program))[0];

  it('runs under its own name only', async () => {
    for (const n of [1, 2, 1, 3, 2, 1, 3]) expect(await resultOf(numbered(n))).toEqual(ok({ n }));
  });

  it('is told from other code by its libraries and its name', async () => {
    const code = 'import { n } from "l"; export const transformEvent = (e) => ({ n });';
    const of = (n: number): Program => ({ code, libraries: { l: `export const n = ${n};` } });
    for (const n of [1, 2, 1, 2, 1]) expect(await resultOf(of(n))).toEqual(ok({ n }));
    const bad = 'export const transformEvent = (e) => e.a.b;';
    for (const name of ['one', 'two', 'one']) {
      const result = await resultOf({ code: bad, name });
      expect(result).toMatchObject({ status: 'error', error: { frame: { file: name } } });
    }
  });

  it('runs also when it had to make room for other code', async () => {
    const each = 330_000;
    const programs = Math.ceil(HELD_BUNDLES_CHARS_MAX / each) + 2;
    for (const _round of ['first', 'again']) {
      for (let n = 0; n < programs; n += 1) expect(await resultOf(numbered(n, each))).toEqual(ok({ n }));
    }
  });
});
