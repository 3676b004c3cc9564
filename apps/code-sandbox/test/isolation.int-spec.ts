import { describe, expect, it } from '@jest/globals';
import { failed, ok, track, useSandbox } from './support/sandbox.js';

/** Matches the globals of the language and those that Weir adds. */
const AMBIENT =
  /^(console|crypto|fetch|fetchV2|geolocation|getCredential|global|log|sha256|atob|btoa|structuredClone|URL|URLSearchParams|Text(En|De)coder|globalThis|Infinity|NaN|undefined|eval|isFinite|isNaN|parse(Float|Int)|(de|en)codeURI(Component)?|(un)?escape|Intl|JSON|Math|Reflect|Temporal|[A-Z]\w*(Error|Array|Map|Set|Ref|Registry|Stack)|Error|Array|Map|Set|Array(Buffer)|DataView|Object|Function|Boolean|Symbol|Number|BigInt|String|RegExp|Promise|Proxy|Date|Iterator)$/;

describe('what user code can reach', () => {
  const sandbox = useSandbox();
  const value = async (expression: string, head = '') => {
    const code = `${head}; export const transformEvent = () => ({ value: ${expression} });`;
    const [result] = await sandbox.results({ code });
    return result?.status === 'ok' ? result.outputs[0]?.['value'] : result;
  };

  it('is the language and what is documented', async () => {
    const names = (await value('Object.getOwnPropertyNames(globalThis)')) as string[];
    expect(names.filter((name) => !AMBIENT.test(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['console', 'global', 'log', 'JSON', 'Promise']));
  });

  it.each([
    'process',
    'require',
    'module',
    'Buffer',
    'setTimeout',
    'setInterval',
    'setImmediate',
    'queueMicrotask',
    'performance',
    'SharedArrayBuffer',
    'gc',
    'Atomics',
    'WebAssembly',
    'ivm',
    'furnish',
    'settings',
    'newList',
    '$0',
  ])('%s is not there', async (name) => expect(await value(`typeof ${name}`)).toBe('undefined'));

  it.each([
    'globalThis.constructor.constructor("return typeof process")()',
    'Function("return typeof process")()',
    '(0, eval)("typeof process")',
    'log.constructor("return typeof process")()',
    'URL.constructor("return typeof process")()',
    'crypto.subtle.digest.constructor.constructor("return typeof process")()',
    'log.constructor.constructor("return typeof process")()',
    'console.log.constructor("return typeof process")()',
    'Object.getPrototypeOf(async () => {}).constructor("return typeof process")().constructor.constructor("return typeof process")()',
    'new Error().constructor.constructor("return typeof process")()',
  ])('%s stays inside', async (expression) => expect(await value(expression)).toBe('undefined'));

  it('no value is of another realm: no Reference, no host function, nothing of isolated-vm', async () => {
    const walk = `
      const seen = new Map();
      const visit = (value, path) => {
        if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
        seen.set(value, path);
        visit(Object.getPrototypeOf(value), path + '.__proto__');
        for (const key of Reflect.ownKeys(value)) {
          const { value: inner, get, set } = Object.getOwnPropertyDescriptor(value, key);
          for (const each of [inner, get, set]) visit(each, path + '.' + String(key));
        }
      };
      const rootOf = (value) => { let root = value; while (Object.getPrototypeOf(root)) root = Object.getPrototypeOf(root); return root; };
      export const transformEvent = (event, metadata) => {
        visit(globalThis, 'globalThis'); visit(event, 'event'); visit(metadata, 'metadata'); visit(metadata(event), 'metadata()');
        try { null.x; } catch (error) { visit(error, 'error'); }
        const foreign = [...seen].filter(([value]) => rootOf(value) !== Object.prototype && rootOf(value) !== value);
        const named = [...seen].filter(([value]) => /^(Reference|ExternalCopy|Isolate|NativeModule|Callback)$/.test(value?.constructor?.name ?? ''));
        return { seen: seen.size, foreign: foreign.map(([, path]) => path), named: named.map(([, path]) => path) };
      };`;
    const [result] = await sandbox.results({ code: walk });
    expect(result).toEqual(ok({ seen: expect.any(Number), foreign: [], named: [] }));
    expect(result?.status === 'ok' && result.outputs[0]?.['seen']).toBeGreaterThan(500);
  });

  it('the stack of an error shows neither driver objects nor host paths', async () => {
    const prepare = 'Error.prepareStackTrace = (_, sites) => sites';
    const expression =
      'new Error().stack.map((site) => [typeof site.getThis?.(), typeof site.getFunction?.(), site.getFileName()])';
    const sites = (await value(expression, prepare)) as (string | null)[][];
    for (const [self, fn, file] of sites) {
      expect([self, fn]).toEqual(['undefined', 'undefined']);
      expect(file ?? 'my code').toMatch(/^(my code|weir:(driver|entry))$/);
    }
  });
});

describe('what one run leaves behind', () => {
  const sandbox = useSandbox();
  const code = `
    let own = 0;
    export const transformEvent = () => {
      own += 1;
      globalThis.shared = (globalThis.shared ?? 0) + 1;
      Object.prototype.polluted = (Object.prototype.polluted ?? 0) + 1;
      JSON.stringify = () => '"tampered"';
      return { own, shared, polluted: Object.prototype.polluted };
    };`;

  it('is seen by the other events of the run and by nobody else', async () => {
    const expected = [1, 2].map((n) => ok({ own: n, shared: n, polluted: n }));
    for (let run = 0; run < 3; run += 1) {
      expect(await sandbox.besideNeighbour({ code, events: [{}, {}] })).toEqual(expected);
    }
  });

  it('is not a promise of an earlier run that goes on', async () => {
    const waiting =
      'const wait = async () => { for (let i = 0; i < 1e4; i += 1) await null; globalThis.late = 1; }; export const transformEvent = (e) => { wait(); return { late: typeof late }; };';
    for (let run = 0; run < 3; run += 1)
      expect(await sandbox.results({ code: waiting })).toEqual([ok({ late: 'undefined' })]);
  });

  it.each([
    ['Promise', 'Promise.prototype.then = null; Promise.resolve = null;'],
    ['arrays', 'Array.prototype.join = () => "x"; Array.prototype.map = null; Array.isArray = () => true;'],
    ['objects', 'Object.prototype.toString = () => "[object Object]"; Object.fromEntries = null;'],
    ['JSON', 'JSON.parse = null; JSON.stringify = () => "[]"; Object.prototype.toJSON = () => "x";'],
    ['collections', 'globalThis.Map = null; globalThis.WeakMap = null; Map = null;'],
  ])('of changed %s hurts nobody else', async (_what, head) => {
    const results = await sandbox.besideNeighbour({ code: `${head} export const transformEvent = (e) => e;` });
    expect(results).toHaveLength(1);
  });

  it('does not fill the isolate in a thousand runs', async () => {
    const small = 'export const transformEvent = (e) => e;';
    for (let run = 0; run < 1_000; run += 1) expect(await sandbox.results({ code: small })).toEqual([ok(track('m1'))]);
  });
});

describe('deep recursion', () => {
  const sandbox = useSandbox({ limitMs: 20_000 });

  it.each([
    ['of a function', 'const f = () => f() + 1; export const transformEvent = (e) => (e.bad ? f() : e);'],
    [
      'of a result that JSON cannot follow',
      'export const transformEvent = (e) => { if (!e.bad) return e; let a = {}; for (let i = 0; i < 1e6; i += 1) a = { a }; return a; };',
    ],
  ])('%s fails its event', async (_what, code) => {
    const results = await sandbox.besideNeighbour({ code, events: [{ n: 1 }, { bad: true }] });
    expect(results).toEqual([
      ok({ n: 1 }),
      failed(expect.stringMatching(/^RangeError: Maximum call stack size exceeded/)),
    ]);
  });

  it('a result that is nested too deeply to travel fails its event', async () => {
    const code =
      'export const transformEvent = ({ levels }) => { let a = {}; for (let i = 1; i < levels; i += 1) a = { a }; return a; };';
    const [fits, deeper, deep] = await sandbox.besideNeighbour({
      code,
      events: [{ levels: 200 }, { levels: 201 }, { levels: 3_000 }],
    });
    expect(fits).toMatchObject({ status: 'ok' });
    for (const result of [deeper, deep])
      expect(result).toEqual(failed('returned event is nested deeper than 200 levels'));
  });
});
