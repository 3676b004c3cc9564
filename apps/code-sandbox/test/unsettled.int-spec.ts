import { describe, expect, it } from '@jest/globals';
import { failed, ok, track, useSandbox } from './support/sandbox.js';

const TIMED_OUT = failed(expect.stringMatching(/^Error: Script execution timed out\./));

describe('a promise that never settles', () => {
  const sandbox = useSandbox();

  it('fails its own event and no other', async () => {
    const code = 'export const transformEvent = (e) => (e.messageId === "m2" ? new Promise(() => {}) : e);';
    const events = [track('m1'), track('m2'), track('m3')];
    const results = await sandbox.besideNeighbour({ code, events });
    expect(results).toEqual([ok(track('m1')), TIMED_OUT, ok(track('m3'))]);
  });

  it('fails every event of a batch', async () => {
    const code = 'export const transformBatch = () => new Promise(() => {});';
    expect(await sandbox.besideNeighbour({ code, events: [track('m1'), track('m2')] })).toEqual([TIMED_OUT, TIMED_OUT]);
  });

  it.each([
    'await new Promise(() => {}); export const transformEvent = (e) => e;',
    'export function transformEvent(e) { return e; } await new Promise(() => {});',
    "import 'lib'; export function transformEvent(e) { return e; }",
  ])('at module level fails the run: %s', async (code) => {
    const libraries = { lib: 'await new Promise(() => {});' };
    expect(await sandbox.besideNeighbour({ code, libraries })).toEqual([TIMED_OUT]);
    expect(await sandbox.check({ code, libraries })).toMatchObject({
      error: { message: expect.stringMatching(/timed out/) },
    });
  });
});

describe('a rejection that nobody handles', () => {
  const sandbox = useSandbox();

  it('does not take the place of the limit that ended the run, nor the result of another event', async () => {
    const rejected = '(async () => { throw undefined; })();';
    const code = `export const transformEvent = (e) => { if (e.messageId === "m1") return e; ${rejected} for (;;); };`;
    const results = await sandbox.besideNeighbour({ code, events: [track('m1'), track('m2')] });
    expect(results).toEqual([ok(track('m1')), TIMED_OUT]);
  });
});
