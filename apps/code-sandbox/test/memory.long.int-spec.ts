import { describe, expect, it } from '@jest/globals';
import { failed, OUT_OF_MEMORY, track, useSandbox } from './support/sandbox.js';

describe('code that takes all memory', () => {
  // Garbage collection near the limit is slow on a busy machine. This test is not about the time limit or the size.
  const sandbox = useSandbox({ limitMs: 40_000, memoryMb: 32 });

  it.each([
    [
      'arrays in a tight loop',
      'export function transformEvent() { const a = []; for (;;) a.push(new Array(1e6).fill("x" + a.length)); }',
    ],
    ['small objects', 'export function transformEvent() { const a = []; for (;;) a.push({ a: [a.length] }); }'],
    [
      'a map',
      'export function transformEvent() { const m = new Map(); for (let i = 0; ; i += 1) m.set("key" + i, { i }); }',
    ],
    ['strings', 'export function transformEvent() { const a = []; for (;;) a.push(JSON.stringify("x".repeat(1e6))); }'],
    [
      'at module level',
      'const a = []; for (;;) a.push(new Array(1e6).fill("x" + a.length)); export const transformEvent = (e) => e;',
    ],
    [
      'after an await',
      'export async function transformEvent() { await null; const a = []; for (;;) a.push(new Array(1e5).fill({})); }',
    ],
  ])('%s: the run fails with the memory limit', async (_what, code) => {
    const results = await sandbox.besideNeighbour({ code, events: [track('m1'), track('m2')] });
    expect(results).toEqual([OUT_OF_MEMORY, OUT_OF_MEMORY]);
  });

  it('in binary buffers fails where it is asked for', async () => {
    const code = 'export function transformEvent() { const a = []; for (;;) a.push(new Uint8Array(1e7).fill(1)); }';
    const refused = failed(expect.stringContaining('RangeError: Array buffer allocation failed'));
    expect(await sandbox.besideNeighbour({ code })).toEqual([refused]);
  });

  it('is ready for more right away', async () => {
    expect(await sandbox.health()).toEqual({ ready: true, reasons: [] });
  });
});
