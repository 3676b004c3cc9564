import { describe, expect, it } from '@jest/globals';
import { ok, TIMED_OUT, track, useSandbox } from './support/sandbox.js';

/** Shorter than in production. One test of this file runs at the real limit. */
const LIMIT_MS = 700;
const NEIGHBOUR = '2MzSdUEcVWnXkPbTqYhLrGjAoFi';

/** Runs for a fixed time by its own clock. */
const busyFor = (ms: number) =>
  `export function transformEvent(event) { for (const end = Date.now() + ${ms}; Date.now() < end; ); return event; }`;

describe('code that does not end', () => {
  const sandbox = useSandbox({ limitMs: LIMIT_MS });

  it.each([
    ['a loop', 'export function transformEvent() { while (true) {} }'],
    ['a loop after an await', 'export async function transformEvent() { await null; while (true) {} }'],
    ['a loop in transformBatch', 'export function transformBatch() { for (;;); }'],
    ['a regular expression', "export const transformEvent = () => ({ m: /^(a+)+$/.test('a'.repeat(40) + '!') });"],
    ['a flood of microtasks', 'export const transformEvent = async () => { for (;;) await null; };'],
    [
      'a flood that nobody awaits',
      'const f = () => { Promise.resolve().then(f); }; export const transformEvent = (e) => { f(); return e; };',
    ],
    ['a loop at module level', 'export const transformEvent = (e) => e; while (true) {}'],
    ['a loop in a library', "import 'lib'; export const transformEvent = (e) => e;"],
    [
      'a loop that swallows exceptions',
      'export function transformEvent() { for (;;) { try { for (;;); } catch {} finally { continue } } }',
    ],
    ['a loop in a getter of the result', 'export const transformEvent = () => ({ get a() { for (;;); } });'],
    ['a loop in toJSON of the result', 'export const transformEvent = () => ({ toJSON() { for (;;); } });'],
    ['a loop in a stack getter', 'export const transformEvent = () => { throw { get stack() { for (;;); } }; };'],
    [
      'a sort that never ends',
      'export const transformEvent = () => { for (;;) Array.from({ length: 1e5 }, Math.random).sort(); };',
    ],
  ])('%s is ended at the limit, for every event of the run', async (_what, code) => {
    const events = [track('m1'), track('m2')];
    const results = await sandbox.besideNeighbour({ code, events, libraries: { lib: 'while (true) {}' } });
    expect(results).toEqual([TIMED_OUT, TIMED_OUT]);
  });

  it('says where the loop was', async () => {
    const [result] = await sandbox.results({
      code: 'export function transformEvent() {\n  while (true) {}\n}',
      name: 'looping',
    });
    expect(result).toMatchObject({ error: { frame: { file: 'looping', line: 2 } } });
  });
});

describe('the limit in earnest', () => {
  const sandbox = useSandbox();

  it('is 4 s: more than a busy quarter of it, less than its double', async () => {
    const [quarter, double] = await Promise.all([1_000, 8_000].map((ms) => sandbox.results({ code: busyFor(ms) })));
    expect([quarter, double]).toEqual([[ok(track('m1'))], [TIMED_OUT]]);
  });
});

describe('a loop without a limit', () => {
  const sandbox = useSandbox({ limitMs: 60_000 });

  it('is no time that a neighbour has to wait', async () => {
    const ended: string[] = [];
    const end = () => ended.push('the loop');
    sandbox.run({ code: 'export function transformEvent() { while (true) {} }' }).then(end, end);
    for (let n = 0; n < 3; n += 1) {
      const { results } = await sandbox.run({ code: busyFor(1), workspaceId: NEIGHBOUR });
      expect(results).toEqual([ok(track('m1'))]);
      ended.push('the neighbour');
    }
    expect(ended).toEqual(['the neighbour', 'the neighbour', 'the neighbour']);
  });
});
