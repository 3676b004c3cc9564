import { describe, expect, it } from '@jest/globals';
import { failed, ok, track, useSandbox } from './support/sandbox.js';

const SIZED = 'export const transformEvent = ({ size }) => ({ text: "x".repeat(size) });';
const MEDIUM = 500_000;

describe('the size of results', () => {
  const sandbox = useSandbox({ limitMs: 20_000 });

  it('fits up to 900 KiB', async () => {
    const [result] = await sandbox.results({ code: SIZED, events: [{ size: 900_000 }] });
    expect(result).toMatchObject({ status: 'ok' });
  });

  it.each([1_000_000, 50_000_000])('an event of %s bytes fails, and no other', async (size) => {
    const results = await sandbox.besideNeighbour({ code: SIZED, events: [{ size: 1 }, { size }] });
    expect(results).toEqual([ok({ text: 'x' }), failed(expect.stringMatching(/larger than 921600 bytes/))]);
  });

  it('events that fit only one by one are refused together', async () => {
    const running = sandbox.run({ code: SIZED, events: [{ size: MEDIUM }, { size: MEDIUM }] });
    await expect(running).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringContaining('send fewer events'),
    });
    expect(await sandbox.results({ code: SIZED, events: [{ size: MEDIUM }] })).toMatchObject([{ status: 'ok' }]);
  });

  it('is counted in bytes', async () => {
    const code = 'export const transformEvent = () => ({ text: "€".repeat(400000) });';
    expect(await sandbox.results({ code })).toEqual([failed(expect.stringMatching(/larger than 921600 bytes/))]);
  });

  it('a fan-out without end runs into the memory limit, one with an end into the size', async () => {
    const code = 'export const transformEvent = (e) => Array.from({ length: 1e5 }, () => e);';
    const results = await sandbox.besideNeighbour({ code, events: [track('m1')] });
    expect(results).toEqual([failed(expect.stringMatching(/larger than 921600 bytes/))]);
  });
});

describe('log(...)', () => {
  const sandbox = useSandbox();
  const logging = (statements: string, mode: 'live' | 'test' = 'test') =>
    sandbox.run({ code: `export function transformEvent(e) { ${statements}; return e; }`, mode });

  it('is collected in tests', async () => {
    const { logs } = await logging(
      'log("text", 5, { a: [1] }, null, undefined, true); log(); log(() => 1, 10n, Symbol("s")); log(globalThis.e = { e })',
    );
    expect(logs.slice(0, 3)).toEqual([
      'Log: text 5 {"a":[1]} null undefined true',
      'Log:',
      'Log: () => 1 10 Symbol(s)',
    ]);
    const circular = await logging('e.self = e; log(e); delete e.self');
    expect(circular).toMatchObject({ logs: ['Log: [object Object]'], results: [{ status: 'ok' }] });
  });

  it('shows objects as JSON and other values as text', async () => {
    const { logs } = await logging(
      'log(NaN, -Infinity, Infinity, -0, 1e21); log({ n: NaN }, [Infinity, undefined], new Number(NaN)); console.log(NaN); log(Object.assign(() => 1, { toJSON: () => 2 }))',
    );
    expect(logs).toEqual([
      'Log: NaN -Infinity Infinity 0 1e+21',
      'Log: {"n":null} [null,null] null',
      'Log: NaN',
      'Log: () => 1',
    ]);
  });

  it('is silent in live traffic, and so is console', async () => {
    expect((await logging('log("x"); console.log("x"); console.error("x")', 'live')).logs).toEqual([]);
  });

  it('is joined by console in tests', async () => {
    const { logs } = await logging(
      'console.log("a", { b: 1 }); log("between"); console.error("c"); console.warn(1); console.table([]); console.assert(1 > 2, "sum")',
    );
    expect(logs).toEqual(['Log: a {"b":1}', 'Log: between', 'Error: c', 'Warn: 1', 'Error: Assertion failed sum']);
  });

  it('is kept of code that fails', async () => {
    const code = 'log("before"); throw new Error("at load");';
    expect(await sandbox.run({ code, mode: 'test' })).toMatchObject({
      logs: ['Log: before'],
      results: [{ status: 'error' }],
    });
  });

  it('is bounded', async () => {
    const { logs, results } = await logging('for (let i = 0; i < 1e4; i += 1) log("x".repeat(100))');
    expect(JSON.stringify(logs).length).toBeLessThanOrEqual(65_536);
    expect(logs.length).toBeGreaterThan(500);
    expect(results).toMatchObject([{ status: 'ok' }]);
    expect((await logging('log("x".repeat(1e6))')).logs.join('').length).toBeLessThanOrEqual(65_536);
    expect(
      JSON.stringify(
        (await logging('for (;;) { log("\\0".repeat(100)); if (++globalThis.n > 1e4) break; globalThis.n ??= 0; }'))
          .logs,
      ).length,
    ).toBeLessThanOrEqual(65_536);
  });
});
