import { describe, expect, it } from '@jest/globals';
import { failed, ok, track, useSandbox } from './support/sandbox.js';

const BAD = track('m2', { bad: true });
const EVENTS = [track('m1'), BAD, track('m3')];

describe('what user code throws', () => {
  const sandbox = useSandbox();

  const throwing = (expression: string) =>
    sandbox.besideNeighbour({
      code: `export function transformEvent(e) { if (e.bad) throw ${expression}; return e; }`,
      events: EVENTS,
    });

  it.each([
    ['new Error("boom")', 'Error: boom\n    at transformEvent (my code:1:54)'],
    ['new TypeError("wrong")', 'TypeError: wrong\n    at transformEvent (my code:1:54)'],
    ['"text"', 'Error: thrown: text (not an Error object)'],
    ['{ code: 1 }', 'Error: thrown: {"code":1} (not an Error object)'],
    ['null', 'Error: thrown: null (not an Error object)'],
    ['undefined', 'Error: thrown: undefined (not an Error object)'],
    ['10n', 'Error: thrown: 10 (not an Error object)'],
    ['Symbol("s")', 'Error: thrown: Symbol(s) (not an Error object)'],
    ['() => 1', 'Error: thrown: () => 1 (not an Error object)'],
    ['Object.create(null)', 'Error: thrown: {} (not an Error object)'],
    ['{ get stack() { throw 1; } }', 'Error: a value was thrown that cannot be shown'],
    ['new Proxy({}, { get() { throw 1; } })', 'Error: a value was thrown that cannot be shown'],
  ])('%s fails its own event only', async (expression, message) => {
    expect(await throwing(expression)).toEqual([ok(track('m1')), failed(message), ok(track('m3'))]);
  });

  it('a rejected promise is the same', async () => {
    const code =
      'export async function transformEvent(e) { await null; if (e.bad) throw new Error("late"); return e; }';
    const [first, second] = await sandbox.results({ code, events: EVENTS });
    expect(first).toEqual(ok(track('m1')));
    expect(second).toEqual(failed('Error: late\n    at transformEvent (my code:1:72)'));
  });

  it('transformBatch fails every event', async () => {
    const code = 'export function transformBatch() {\n  throw new Error("whole batch");\n}';
    const message = failed('Error: whole batch\n    at transformBatch (my code:2:9)');
    expect(await sandbox.results({ code, events: EVENTS })).toEqual([message, message, message]);
  });

  it('a promise that nobody awaits and that fails harms nothing', async () => {
    const code = 'export function transformEvent(e) { Promise.reject(new Error("lost")); return e; }';
    expect(await sandbox.besideNeighbour({ code })).toEqual([ok(track('m1'))]);
  });

  it('names file and line, of a library too, and nothing of Weir or its host', async () => {
    const libraries = { tools: 'export function boom() {\n  throw new Error("in lib");\n}' };
    const code = 'import { boom } from "tools";\nexport function transformEvent() {\n  return boom();\n}';
    const [result] = await sandbox.results({ code, libraries, name: 'probe' });
    expect(result).toEqual({
      status: 'error',
      error: {
        message: 'Error: in lib\n    at boom (library tools:2:9)\n    at transformEvent (probe:3:10)',
        frame: { file: 'library tools', line: 2, column: 9 },
      },
    });
  });

  it('an endless text is cut', async () => {
    const code = 'export function transformEvent() { throw new Error("x".repeat(5e6)); }';
    const [result] = await sandbox.results({ code });
    expect(result?.status === 'error' && result.error.message.length).toBe(4_096);
  });
});
