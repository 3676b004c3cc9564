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
    ['NaN', 'Error: thrown: NaN (not an Error object)'],
    ['-Infinity', 'Error: thrown: -Infinity (not an Error object)'],
    ['[NaN]', 'Error: thrown: [null] (not an Error object)'],
    ['10n', 'Error: thrown: 10 (not an Error object)'],
    ['Symbol("s")', 'Error: thrown: Symbol(s) (not an Error object)'],
    ['() => 1', 'Error: thrown: () => 1 (not an Error object)'],
    ['Object.create(null)', 'Error: thrown: {} (not an Error object)'],
    ['{ get stack() { throw 1; } }', 'Error: user code threw a value that cannot be shown'],
    ['new Proxy({}, { get() { throw 1; } })', 'Error: user code threw a value that cannot be shown'],
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

describe('a stack that user code sets to whatever it likes', () => {
  const sandbox = useSandbox();
  const BRACKETS = "' ('.repeat(900)";
  const NUMBERS = "':1'.repeat(500)";

  it.each([
    ['lines, brackets and numbers', `'E' + '\\n'.repeat(1200) + ' at ' + ${BRACKETS} + ${NUMBERS} + 'x'`],
    ['brackets and numbers that end as they should', `' at ' + ${BRACKETS} + ${NUMBERS} + ':1)x'`],
    ['a place of a syntax error', `'E ' + '['.repeat(1300) + ${NUMBERS} + 'x]'`],
    ['white space', "'\\n' + ' '.repeat(4000) + 'x'"],
    ['names', "'\\n at ' + 'a.'.repeat(2000) + 'x'"],
    ['what Weir calls its own', "'\\n at ' + 'weir:'.repeat(800)"],
  ])('fails its own events, beside a neighbour that goes on: %s', async (_what, stack) => {
    const code = `export function transformEvent() { throw Object.assign(new Error(), { stack: ${stack} }); }`;
    const results = await sandbox.besideNeighbour({ code, events: [{}, {}, {}] });
    expect(results).toEqual(results.map(() => failed(expect.any(String))));
  });

  it('names no line that JSON cannot write', async () => {
    const code = `export function transformEvent() { throw { stack: 'E\\n at f (a:' + '1'.repeat(400) + ':1)' }; }`;
    expect(await sandbox.results({ code })).toEqual([failed(expect.stringMatching(/^E\n at f/))]);
  });
});
