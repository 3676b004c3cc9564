import { createContext, Script } from 'node:vm';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { watchLanguage } from '../guest/watch.js';
import { runtimeOf } from './runtime-of.js';

/** Declarations at module level. The generated functions and statements use their names. */
const DECLARATIONS = [
  'const T = { a: 1, b: "x" };',
  'const ROWS = { a: { n: 1 }, b: { n: 2 } };',
  'const LIST = ["a", "b"];',
  'const RULES = [{ k: "a", n: 1 }, { k: "b", n: 2 }];',
  'const SET = new Set(["a"]);',
  'const MAP = new Map([["a", { n: 1 }]]);',
  'const RE = /[ab]/g;',
  'let n = 0;',
  'const make = () => { let c = 0; return () => ++c; };',
  'const counter = make();',
  'const handlers = { a: (x) => x, b: (x) => ({ x }) };',
];
const property = fc.constantFrom('a', 'b', 'n', 'k', 'list', 'o');
const KEPT = ['T', 'ROWS', 'LIST', 'RULES', 'MAP', 'n', 'handlers', 'RULES[0]', 'ROWS.a', 'MAP.get("a")', 'counter'];

/** Mostly what is harmless, so that whole programs often are, and now and then what is not. */
const mostly = <T>(harmless: fc.Arbitrary<T>, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 40, arbitrary: harmless }, { weight: 1, arbitrary: other });

const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const inner = tie('expression');
  const two = fc.tuple(inner, inner);
  const atoms = fc.constantFrom(
    'e',
    'x',
    'y',
    'e.a',
    'e.list',
    'e.o',
    '"a"',
    '1',
    'e.k',
    '{}',
    '[]',
    'T.a',
    'ROWS.a.n',
    'n',
  );
  const lists = fc.constantFrom('LIST', 'e.list', '(x?.list ?? [])', 'RULES.map((r) => r.k)');
  const harmless = fc.oneof(
    { depthSize: 'xsmall', maxDepth: 3 },
    atoms,
    fc.tuple(inner, property).map(([of, key]) => `(${of})?.${key}`),
    two.map(([of, key]) => `(${of})?.[${key}]`),
    two.map(([one, other]) => `(${one} ?? ${other})`),
    fc.tuple(inner, inner, inner).map(([is, one, other]) => `(${is} ? ${one} : ${other})`),
    two.map(([one, other]) => `({ a: ${one}, ...(${other}) })`),
    two.map(([one, other]) => `[${one}, ...[${other}]]`),
    two.map(([one, other]) => `f(${one}, ${other})`),
    two.map(([one, other]) => `g(${one}, ${other})`),
    two.map(([of, key]) => `handlers[${key}]?.(${of})`),
    fc.tuple(lists, inner).map(([of, made]) => `${of}.map((x, y) => ${made})`),
    fc.tuple(lists, inner).map(([of, is]) => `${of}.find((x) => ${is})`),
    fc.tuple(lists, inner, inner).map(([of, to, from]) => `${of}.reduce((x, y) => ${to}, ${from})`),
    fc.tuple(inner, property).map(([is, key]) => `RULES.filter((x) => ${is}).map((r) => r.${key})`),
    fc.tuple(inner, property).map(([is, key]) => `RULES.find((x) => ${is})?.${key}`),
    inner.map((of) => `T[${of}]`),
    inner.map((of) => `ROWS[${of}]?.n`),
    inner.map((of) => `LIST.includes(${of})`),
    inner.map((of) => `MAP.get(${of})?.n`),
    inner.map((of) => `SET.has(${of})`),
    inner.map((of) => `Object.values(${of} ?? {})`),
    inner.map((of) => `Object.assign({}, ${of}, T)`),
    inner.map((of) => `[...LIST, ${of}]`),
    inner.map((of) => `({ ...T, x: ${of} })`),
    fc.constantFrom('structuredClone(ROWS)', 'structuredClone(RULES)'),
    inner.map((of) => `String(${of}).replace(RE, "-")`),
    inner.map((of) => `(() => ${of})()`),
    inner.map((of) => `((x = ROWS) => x?.a?.n ?? ${of})()`),
  );
  const risky = fc.oneof(
    fc.constantFrom(
      ...KEPT,
      'RE.test("b")',
      'counter()',
      'Object.values(ROWS)',
      'Object.entries(ROWS)',
      'RULES.slice()',
    ),
    fc.tuple(fc.constantFrom(...KEPT), inner).map(([of, other]) => `f(${of}, ${other})`),
    fc.tuple(fc.constantFrom(...KEPT), inner).map(([of, other]) => `g(${other}, ${of})`),
    inner.map((of) => `ROWS[${of}]`),
    inner.map((of) => `RULES.map((x) => ${of})`),
    inner.map((of) => `RULES.find((x) => ${of})`),
  );
  return { expression: mostly(harmless, risky) };
});

const place = mostly(
  fc.oneof(
    fc.tuple(fc.constantFrom('e', 'x', 'y', 'e.o', 'e.list[0]'), property).map(([of, key]) => `${of}.${key}`),
    fc.constantFrom('x', 'y', 'e[e.k]'),
  ),
  fc.oneof(
    fc.tuple(expression, property).map(([of, key]) => `(${of}).${key}`),
    fc.constantFrom('n', 'ROWS.a.n', 'T.a', 'LIST[0]', 'counter.n'),
  ),
);

const statement = mostly(
  fc.oneof(
    fc.tuple(place, expression).map(([to, from]) => `${to} = ${from};`),
    place.map((to) => `${to} += 1;`),
    fc.tuple(property, expression).map(([key, from]) => `({ ${key}: x = ${from}, ...y } = ${from} ?? {});`),
    fc.tuple(place, expression).map(([to, from]) => `for (const { k, n } of RULES) { ${to} = k + n + ${from}; }`),
    fc.tuple(place, expression).map(([to, from]) => `for (const x of LIST) { ${to} = ${from}; }`),
    expression.map((added) => `e.list?.push?.(${added});`),
    fc.constantFrom('delete e.a;', 'delete e.o?.k;'),
    expression.map((added) => `Object.assign(e.o ?? {}, ${added});`),
  ),
  fc.oneof(
    fc.tuple(place, expression).map(([to, from]) => `for (const x of RULES) { ${to} = ${from}; }`),
    fc.tuple(expression, expression).map(([of, added]) => `(${of})?.push?.(${added});`),
    fc.tuple(expression, expression).map(([of, added]) => `(${of})?.set?.("a", ${added});`),
    fc.tuple(expression, expression).map(([of, added]) => `Object.assign((${of}) ?? {}, ${added});`),
    fc.constantFrom(
      'const [z] = RULES; z.n += 1;',
      'n += 1;',
      'LIST.push(e.k);',
      'SET.add(e.k);',
      'MAP.get("a").n += 1;',
    ),
  ),
);

const program = fc
  .tuple(
    fc.array(statement, { maxLength: 2 }),
    expression,
    fc.array(statement, { maxLength: 2 }),
    expression,
    fc.array(statement, { minLength: 1, maxLength: 4 }),
    expression,
  )
  .map(([inF, ofF, inG, ofG, body, result]) =>
    [
      ...DECLARATIONS,
      `const f = (x, y) => { const e = {}; ${inF.join(' ')} return ${ofF}; };`,
      `function g(x, y = T) { const e = x ?? {}; ${inG.join(' ')} return ${ofG}; }`,
      `const transformEvent = (e) => { let x = e.o, y = null; ${body.join(' ')} e.r = ${result}; return e; };`,
    ].join('\n'),
  );

const EVENTS = ['a', 'b', 'zz', 'toString', 'constructor', '__proto__'].map((k, at) =>
  JSON.stringify({ k, a: at, b: `${k}b`, list: [{ k, n: at }, 'a', 2], o: { a: { n: at }, k } }),
);

/** Runs events in one realm, as JSON in and out. The watch says afterwards whether the language is as it was. */
function realmOf(code: string, isWatched = false): { run: (event: string) => string; isUntouched: () => boolean } {
  const context = createContext({});
  new Script('globalThis.structuredClone = (v) => JSON.parse(JSON.stringify(v))').runInContext(context);
  const watch = isWatched ? `(${watchLanguage})()` : '() => false';
  const isUntouched = new Script(watch).runInContext(context) as () => boolean;
  const run = new Script(`(() => { 'use strict'; ${code}
    return (text) => { try { return JSON.stringify(transformEvent(JSON.parse(text))) ?? 'none'; } catch (error) { return 'threw ' + error; } };
  })()`);
  return { run: run.runInContext(context) as (event: string) => string, isUntouched };
}

const orders = fc.array(fc.constantFrom(...EVENTS), { minLength: 4, maxLength: 8 });

it('code that is warm gives in one realm what it gives in fresh ones', () => {
  let warm = 0;
  fc.assert(
    fc.property(program, orders, (code, events) => {
      if (runtimeOf({ code: code.replace(/const transformEvent/, 'export $&'), libraries: [] }).runtime !== 'warm')
        return;
      warm += 1;
      const inFresh = new Map([...new Set(events)].map((event) => [event, realmOf(code).run(event)]));
      let stays = realmOf(code, true);
      for (const event of events) {
        expect(stays.run(event)).toBe(inFresh.get(event));
        if (!stays.isUntouched()) stays = realmOf(code, true);
      }
    }),
    { numRuns: 250 },
  );
  expect(warm).toBeGreaterThan(25);
});

it('never throws', () => {
  const token = fc.constantFrom(
    ...[
      '{',
      '}',
      '(',
      ')',
      '[',
      ']',
      '=>',
      '=',
      '...',
      ',',
      ';',
      '.',
      '?.',
      '`',
      '${',
      '/',
      'a',
      'e',
      '1',
      '"x"',
      ':',
      '?',
    ],
    ...[
      'async',
      'await',
      'yield',
      'function',
      'class',
      'const',
      'let',
      'for',
      'of',
      'in',
      'new',
      'export',
      'import',
      'default',
    ],
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(token, { maxLength: 30 }).map((tokens) => tokens.join(' ')),
  );
  fc.assert(
    fc.property(text, text, (code, library) => {
      const { runtime } = runtimeOf({ code, libraries: [{ importName: 'a', code: library }] });
      expect(['warm', 'fresh']).toContain(runtime);
    }),
    { numRuns: 2_000 },
  );
});

it('takes time in proportion to the code', () => {
  const code = (count: number) =>
    `${Array.from({ length: count }, (_, n) => `const f${n} = (e) => { e.n${n} = ${n}; return ${n > 0 ? `f${n - 1}(e)` : 'e'}; };`).join('\n')}
     export const transformEvent = (e) => f${count - 1}(e);`;
  const msOf = (count: number) => {
    // processor time, because a busy machine gives long runs pauses that short ones do not have
    const before = process.cpuUsage();
    expect(runtimeOf({ code: code(count), libraries: [] })).toEqual({ runtime: 'warm' });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  msOf(100);
  const few = Math.min(msOf(60), msOf(60), msOf(60));
  expect(Math.min(msOf(600), msOf(600))).toBeLessThan(Math.max(few, 1) * 60);
});
