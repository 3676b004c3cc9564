import { beforeEach, describe, expect, it } from '@jest/globals';
import { failed, ok, type Program, track, useSandbox } from './support/sandbox.js';

/** Code without state runs in a context that stays. Nothing that it does may show in a later run. */
const sandbox = useSandbox({ children: 2 });
const { contexts, results, run } = sandbox;

beforeEach(() => void contexts.splice(0));

const last = () => contexts.at(-1);
/** Runs it until its context would stay, and once more. */
async function settled(program: Program) {
  await results(program);
  await results(program);
  return results(program);
}

describe('code without state', () => {
  it('runs in a context that stays', async () => {
    const code = 'const T = { a: 1 }; export const transformEvent = (e) => ({ n: e.n + T.a });';
    expect(await settled({ code, events: [{ n: 1 }, { n: 2 }] })).toEqual([ok({ n: 2 }), ok({ n: 3 })]);
    expect(contexts).toEqual(['fresh', 'fresh', 'kept']);
  });

  it('has its own context for other credentials', async () => {
    const code = 'const KEY = getCredential("k"); export const transformEvent = (e) => ({ KEY });';
    const of = (value: string): Program => ({ code, credentials: [{ key: 'k', value }] });
    expect(await settled(of('one'))).toEqual([ok({ KEY: 'one' })]);
    expect(last()).toBe('kept');
    expect(await results(of('two'))).toEqual([ok({ KEY: 'two' })]);
    expect(last()).toBe('fresh');
    expect(await results(of('one'))).toEqual([ok({ KEY: 'one' })]);
    expect(last()).toBe('kept');
  });

  it('has a fresh context in a test, with its logs', async () => {
    const code = 'export const transformEvent = (e) => { log(e.n); return e; };';
    await settled({ code });
    expect((await run({ code, mode: 'test', events: [{ n: 1 }] })).logs).toEqual(['Log: 1']);
    expect(last()).toBe('fresh');
    expect((await run({ code })).logs).toEqual([]);
    expect(last()).toBe('kept');
  });

  it('is told from other code in tests only', async () => {
    const code = 'const seen = new Set();\nexport const transformEvent = (e) => { seen.add(e.n); return e; };';
    const stateless = 'export const transformEvent = (e) => e;';
    const importing = 'import "ids"; export const transformEvent = (e) => e;';
    const runtimeOf = async (program: Program) => {
      const { runtime, runtimeReason } = await run({ mode: 'test', ...program });
      return { runtime, runtimeReason };
    };
    expect(await runtimeOf({ code: stateless })).toEqual({ runtime: 'warm' });
    expect(await runtimeOf({ code })).toEqual({ runtime: 'fresh', runtimeReason: 'keeps state: line 2, `seen`' });
    const libraries = { ids: 'export let last;\nexport const note = (id) => { last = id; };' };
    const ofLibrary = { runtime: 'fresh', runtimeReason: 'keeps state: library ids, line 2, `last`' };
    expect(await runtimeOf({ code: importing, libraries })).toEqual(ofLibrary);
    expect(await runtimeOf({ code: stateless, mode: 'live' })).toEqual({});
    expect(await runtimeOf({ code: 'export const a = 1;' })).toEqual({});
  });

  it('fails event by event, with the same errors', async () => {
    const code = 'export const transformEvent = (e) => { if (e.bad) throw new Error(e.bad); return e; };';
    const events = [{ bad: 'one' }, { n: 1 }];
    const [fresh] = [await results({ code, events }), await results({ code, events })];
    expect(await results({ code, events })).toEqual(fresh);
    expect(last()).toBe('kept');
    expect(fresh).toEqual([failed(expect.stringMatching(/^Error: one\n/)), ok({ n: 1 })]);
  });

  it('may be a batch, and may wait', async () => {
    const batch =
      'export const transformBatch = (events, metadata) => events.map((e) => ({ ...e, m: metadata(e).m }));';
    const of = { code: batch, events: [track('a'), track('b')], metadata: [{ m: 1 }, { m: 2 }] };
    const first = await results(of);
    expect(await settled(of)).toEqual(first);
    expect(last()).toBe('kept');
    const waits = 'export const transformEvent = async (e) => { await null; await null; return { n: e.n }; };';
    expect(await settled({ code: waits, events: [{ n: 1 }] })).toEqual([ok({ n: 1 })]);
    expect(last()).toBe('kept');
    const never = 'export const transformEvent = (e) => new Promise(() => undefined);';
    expect(await settled({ code: never })).toEqual([failed(expect.stringMatching(/never settles/))]);
    expect(await results({ code: never })).toEqual([failed(expect.stringMatching(/never settles/))]);
  });

  it('has randomness of its own in each run', async () => {
    const code = 'export const transformEvent = () => ({ id: crypto.randomUUID() });';
    const ids = [];
    for (let n = 0; n < 6; n += 1) ids.push(JSON.stringify(await results({ code })));
    expect(new Set(ids).size).toBe(6);
    expect(last()).toBe('kept');
  });

  it('gets a new context after a run that hit a limit', async () => {
    const code = 'export const transformEvent = (e) => { while (e.loop); return { n: e.n }; };';
    await settled({ code, events: [{ n: 1 }] });
    expect(last()).toBe('kept');
    expect(await results({ code, events: [{ loop: true }] })).toEqual([failed(expect.stringMatching(/timed out/))]);
    expect(await results({ code, events: [{ n: 2 }] })).toEqual([ok({ n: 2 })]);
  });
});

describe('code with state', () => {
  it.each([
    ['a counter', 'let n = 0; export const transformEvent = () => ({ n: ++n });'],
    ['a table', 'const t = {}; export const transformEvent = () => { t.n = (t.n ?? 0) + 1; return { n: t.n }; };'],
    [
      'a closure',
      'const f = (() => { let n = 0; return () => ++n; })(); export const transformEvent = () => ({ n: f() });',
    ],
    ['a class', 'class C { static n = 0; } export const transformEvent = () => ({ n: ++C.n });'],
  ])('never meets its state again: %s', async (_what, code) => {
    for (let n = 0; n < 4; n += 1) expect(await results({ code })).toEqual([ok({ n: 1 })]);
    expect(new Set(contexts)).toEqual(new Set(['fresh']));
  });

  it('runs once for each event, also if its child ran it before', async () => {
    const code =
      'let n = 0; export const transformEvent = async () => { n += 1; await null; await null; return { n }; };';
    for (let n = 0; n < 4; n += 1) expect(await results({ code })).toEqual([ok({ n: 1 })]);
  });
});

/** Each hides a count behind keys that come with the event, where the proof cannot see it. */
describe('code that passes as stateless and changes the language', () => {
  it.each<[what: string, code: string, event: Record<string, string>]>([
    [
      'the prototype of objects',
      'e[e.a][e.b] = (e[e.a][e.b] ?? 0) + 1; return { n: e[e.a][e.b] };',
      { a: '__proto__', b: 'n' },
    ],
    [
      'a constructor',
      'const c = e[e.a]; c[e.b] = (c[e.b] ?? 0) + 1; return { n: c[e.b] };',
      { a: 'constructor', b: 'n' },
    ],
    ['a method', 'const c = e[e.a]; c[e.b] = (c[e.b] ?? 0) + 1; return { n: c[e.b] };', { a: 'toString', b: 'n' }],
    ['a list', 'const p = [][e.a]; p[e.b](1); return { n: p.length };', { a: '__proto__', b: 'push' }],
    [
      'a getter',
      'const n = (e.n ?? 0) + 1; e[e.a][e.b](e.c, () => n); return { n };',
      { a: '__proto__', b: '__defineGetter__', c: 'n' },
    ],
    [
      'a hidden property',
      'const n = (e.n ?? 0) + 1; e[e.a][e.b](e[e.c], e.d, { value: n }); return { n };',
      { a: 'constructor', b: 'defineProperty', c: '__proto__', d: 'n' },
    ],
    [
      'an assignment',
      'const n = (e.n ?? 0) + 1; e[e.a][e.b](e[e.c], { n }); return { n };',
      { a: 'constructor', b: 'assign', c: '__proto__' },
    ],
    ['a prototype', 'const p = [][e.a]; const n = (p.n ?? 0) + 1; p[e.a] = { n }; return { n };', { a: '__proto__' }],
    [
      'code from text',
      'return { n: e[e.a][e.a](e.t)() };',
      { a: 'constructor', t: 'globalThis.n = (globalThis.n ?? 0) + 1; return globalThis.n' },
    ],
    ['an iterator', 'const p = [1].values()[e.a]; p.n = (p.n ?? 0) + 1; return { n: p.n };', { a: '__proto__' }],
    [
      'a generator',
      'function* g() { yield 1; } const p = g()[e.a][e.a][e.a]; p.n = (p.n ?? 0) + 1; return { n: p.n };',
      { a: '__proto__' },
    ],
    [
      'an error',
      'try { null.x; } catch (error) { const p = error[e.a]; p.n = (p.n ?? 0) + 1; return { n: p.n }; }',
      { a: '__proto__' },
    ],
    ['a function of Weir', 'const p = console[e.a]; p.n = (p.n ?? 0) + 1; return { n: p.n };', { a: 'log' }],
    [
      'the name of a method',
      'const f = e[e.a]; const n = f[e.b] ? 1 : 2; delete f[e.b]; return { n };',
      { a: 'toString', b: 'name' },
    ],
    [
      'the length of a constructor',
      'const f = e[e.a]; const n = f[e.b] ? 1 : 2; delete f[e.b]; return { n };',
      { a: 'constructor', b: 'length' },
    ],
    ['a promise', 'const p = Promise.resolve(1)[e.a]; p.n = (p.n ?? 0) + 1; return { n: p.n };', { a: '__proto__' }],
    [
      'a later step',
      'return Promise.resolve(e).then((x) => { const p = x[x.a]; p.n = (p.n ?? 0) + 1; return { n: p.n }; });',
      { a: '__proto__' },
    ],
  ])('%s', async (_what, body, event) => {
    const code = `export const transformEvent = (e) => { ${body} };`;
    for (let n = 0; n < 6; n += 1) expect(await results({ code, events: [event] })).toEqual([ok({ n: 1 })]);
  });

  it('gets fresh contexts from then on', async () => {
    const code = 'export const transformEvent = (e) => { if (e.a) e[e.a].n = 1; return { n: {}.n ?? 0 }; };';
    await settled({ code });
    expect(last()).toBe('kept');
    expect(await results({ code, events: [{ a: '__proto__' }] })).toEqual([ok({ n: 1 })]);
    expect(last()).toBe('kept');
    expect(await results({ code })).toEqual([ok({ n: 0 })]);
    expect(last()).toBe('touched');
    expect(await results({ code })).toEqual([ok({ n: 0 })]);
    expect(last()).toBe('fresh');
  });
});
