import { describe, expect, it } from '@jest/globals';
import { failed, OUT_OF_MEMORY, ok, TIMED_OUT, track, useSandbox } from './support/sandbox.js';

/** Marks the events that are bad. The others have time when they run again. */
const bad = '"does"';

/** Behaves well unless an event asks for something else. */
const CODE = `
  export function transformEvent(event) {
    if (event.does === 'loop') for (;;);
    if (event.does === 'loop later') return Promise.resolve().then(() => { for (;;); });
    if (event.does === 'leave a loop') { (async () => { for (;;) await null; })(); return event; }
    if (event.does === 'take all') { const all = []; for (;;) all.push(new Array(1e5).fill(all.length)); }
    if (event.does === 'throw') throw new Error('no');
    return event;
  }`;
const good = (n: number) => track(`m${n}`);
const doing = (does: string) => track('bad', { does });

describe('one bad event', () => {
  const sandbox = useSandbox({ limitMs: 800, memoryMb: 32, bad });

  it.each([
    ['loop', TIMED_OUT],
    ['loop later', TIMED_OUT],
    ['leave a loop', TIMED_OUT],
    ['throw', failed(expect.stringMatching(/^Error: no\n/))],
  ])('that does this fails, and no other of its batch: %s', async (does, outcome) => {
    const results = await sandbox.results({ code: CODE, events: [good(1), doing(does), good(2), good(3)] });
    expect(results).toEqual([ok(good(1)), outcome, ok(good(2)), ok(good(3))]);
  });

  it('names the line that it hung at', async () => {
    const [, result] = await sandbox.results({ code: CODE, events: [good(1), doing('loop'), good(2)] });
    expect(result).toMatchObject({ error: { frame: { file: 'my code', line: 3 } } });
  });

  it('among others like it: each fails for itself', async () => {
    const events = [doing('loop'), good(1), doing('loop later'), good(2), doing('leave a loop'), good(3)];
    const expected = [TIMED_OUT, ok(good(1)), TIMED_OUT, ok(good(2)), TIMED_OUT, ok(good(3))];
    expect(await sandbox.results({ code: CODE, events })).toEqual(expected);
  });

  it('fails a batch as a whole: there is only one call', async () => {
    const code = 'export const transformBatch = (events) => { for (const { does } of events) if (does) for (;;); };';
    expect(await sandbox.results({ code, events: [good(1), doing('loop')] })).toEqual([TIMED_OUT, TIMED_OUT]);
  });
});

describe('one event that takes all memory', () => {
  // Garbage collection near the limit is slow on a busy machine.
  const sandbox = useSandbox({ memoryMb: 32, limitMs: 40_000 });

  it('fails, and no other of its batch', async () => {
    const results = await sandbox.results({ code: CODE, events: [good(1), doing('take all'), good(2)] });
    expect(results).toEqual([ok(good(1)), OUT_OF_MEMORY, ok(good(2))]);
  });
});

describe('callers whose events share a run', () => {
  const sandbox = useSandbox({ children: 2, limitMs: 2_000, bad });
  const call = (events: Parameters<typeof sandbox.results>[0]['events'], code = CODE) =>
    sandbox.results({ code, ...(events && { events }) });

  it('each get their own results, in order, and their own metadata', async () => {
    const code = 'export const transformEvent = (e, metadata) => ({ ...e, of: metadata(e).of });';
    const one = (n: number) =>
      sandbox.results({ code, events: [good(0), track('same', { n })], metadata: [{}, { of: n }] });
    await one(0);
    const numbers = Array.from({ length: 12 }, (_, n) => n);
    const results = await Promise.all(numbers.map(one));
    expect(results).toEqual(numbers.map((n) => [ok(good(0)), ok(track('same', { n, of: n }))]));
  });

  it('are called one by one when the code takes batches', async () => {
    const code = 'export const transformBatch = (events) => [{ ...events[0], of: events.length }];';
    const one = (n: number) => call([good(n), good(100 + n)], code);
    await one(0);
    const numbers = Array.from({ length: 12 }, (_, n) => n);
    const results = await Promise.all(numbers.map(one));
    expect(results).toEqual(numbers.map((n) => [ok({ ...good(n), of: 2 }), { status: 'dropped' }]));
  });

  it.each(['loop', 'loop later', 'leave a loop'])('are not harmed by one that does this: %s', async (does) => {
    await call([good(0)]);
    const calls = [call([good(1)]), call([good(2), doing(does), good(3)]), ...[4, 5, 6].map((n) => call([good(n)]))];
    const [first, harmful, ...others] = await Promise.all(calls);
    expect(first).toEqual([ok(good(1))]);
    expect(harmful).toEqual([ok(good(2)), TIMED_OUT, ok(good(3))]);
    expect(others).toEqual([4, 5, 6].map((n) => [ok(good(n))]));
  });
});
