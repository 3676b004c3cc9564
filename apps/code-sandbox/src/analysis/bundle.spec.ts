import { expect, it } from '@jest/globals';
import { runtimeOf } from './runtime-of.js';
import { describeProblem } from './verdict.js';

const told = (code: string, libraries: Record<string, string>) => {
  const verdict = runtimeOf({
    code,
    libraries: Object.entries(libraries).map(([importName, text]) => ({ importName, code: text })),
  });
  return verdict.runtime === 'fresh' ? describeProblem(verdict) : 'warm';
};

it('cuts a long name in the reason', () => {
  const code = `let ${'x'.repeat(500)}; export const transformEvent = () => { ${'x'.repeat(500)} = 1; };`;
  expect(told(code, {})).toBe(`keeps state: line 1, \`${'x'.repeat(80)}…\``);
});

it.each<[told: string, code: string, libraries: Record<string, string>]>([
  [
    'warm',
    'import { mask } from "lib"; export const transformEvent = (e) => mask(e);',
    { lib: 'export const mask = (e) => { e.ip = null; return e; };' },
  ],
  [
    'warm',
    'import mask from "lib"; export const transformEvent = (e) => mask(e);',
    { lib: 'export default function (e) { e.ip = null; return e; }' },
  ],
  [
    'warm',
    'import mask from "lib"; export const transformEvent = (e) => mask(e);',
    { lib: 'const mask = (e) => e; export default mask;' },
  ],
  [
    'warm',
    'import * as lib from "lib"; export const transformEvent = (e) => lib.mask(e);',
    { lib: 'export const mask = (e) => e;' },
  ],
  [
    'warm',
    'import lib from "lib"; export const transformEvent = (e) => lib.mask(e);',
    { lib: 'const mask = (e) => e; export default { mask };' },
  ],
  [
    'warm',
    'import { KEYS } from "lib"; export const transformEvent = (e) => (KEYS.includes(e.type) ? e : null);',
    { lib: 'export const KEYS = ["a"];' },
  ],
  [
    'warm',
    'import { a } from "one"; export const transformEvent = (e) => a(e);',
    { one: 'export { b as a } from "two";', two: 'export function b(e) { return e; }' },
  ],
  [
    'warm',
    'import { a } from "one"; export const transformEvent = (e) => a(e);',
    { one: 'export * from "two";', two: 'export function a(e) { return e; }' },
  ],
  [
    'warm',
    'import { a } from "one"; export const transformEvent = (e) => a(e);',
    { one: 'import { b } from "two"; export const a = (e) => b(e);', two: 'export function b(e) { return e; }' },
  ],
  ['warm', 'export { mask as transformEvent } from "lib";', { lib: 'export const mask = (e) => e;' }],
  [
    'warm',
    'import { mask } from "lib"; const KEYS = ["a"]; export const transformEvent = (e) => mask(e, KEYS);',
    { lib: 'export const mask = (e, keys) => { for (const key of keys) delete e[key]; return e; };' },
  ],
  [
    'keeps state: library lib, line 2, `n`',
    'import { next } from "lib"; export const transformEvent = (e) => ({ n: next() });',
    { lib: 'let n = 0;\nexport const next = () => ++n;' },
  ],
  [
    'keeps state: library two, line 1, `n`',
    'import { a } from "one"; export const transformEvent = (e) => ({ n: a() });',
    { one: 'export { next as a } from "two";', two: 'let n = 0; export const next = () => ++n;' },
  ],
  [
    'keeps state: library lib, line 1, `keys`',
    'import { mask } from "lib"; const KEYS = ["a"]; export const transformEvent = (e) => mask(e, KEYS);',
    { lib: 'export const mask = (e, keys) => { keys.push(e.id); return e; };' },
  ],
  [
    'keeps state: line 1, `KEYS`',
    'import { KEYS } from "lib"; export const transformEvent = (e) => { KEYS.push(e.id); return e; };',
    { lib: 'export const KEYS = ["a"];' },
  ],
  [
    'keeps state: line 1, `lib`',
    'import * as lib from "lib"; export const transformEvent = (e) => { lib.KEYS.push(e.id); return e; };',
    { lib: 'export const KEYS = ["a"];' },
  ],
  [
    'keeps state: line 1, `lib`',
    'import lib from "lib"; export const transformEvent = (e) => { lib.n = e.id; return e; };',
    { lib: 'export default { n: 1 };' },
  ],
  [
    'keeps state: line 1, `KEYS`',
    'import { KEYS } from "lib"; KEYS.push({}); export const transformEvent = (e) => { return e; };',
    { lib: 'export const KEYS = ["a"];' },
  ],
  [
    'keeps state: line 1, `n`',
    'import { n } from "lib"; export const transformEvent = (e) => { n = 1; return e; };',
    { lib: 'export let n = 1;' },
  ],
  [
    'passes on what outlives the run: line 1, `ROWS`',
    'import { ROWS } from "lib"; export const transformEvent = (e) => { e.row = ROWS[e.k]; return e; };',
    { lib: 'export const ROWS = { a: { n: 1 } };' },
  ],
  [
    'passes on what outlives the run: line 1, `lib`',
    'import * as lib from "lib"; export const transformEvent = (e) => { e.f = lib; return e; };',
    { lib: 'export const a = 1;' },
  ],
  [
    'uses what cannot be followed: line 1, `lib`',
    'import * as lib from "lib"; export const transformEvent = (e) => lib[e.k](e);',
    { lib: 'export const a = (e) => e;' },
  ],
  [
    'uses what cannot be followed: line 1, `counter`',
    'import { counter } from "lib"; export const transformEvent = (e) => ({ n: counter() });',
    { lib: 'const make = () => { let n = 0; return () => ++n; }; export const counter = make();' },
  ],
  [
    'depends on when it is loaded: library lib, line 1, `Date.now`',
    'import { START } from "lib"; export const transformEvent = (e) => ({ START });',
    { lib: 'export const START = Date.now();' },
  ],
  [
    'cannot be read: line 1',
    'import { a } from "lib"; export const transformEvent = (e) => a(e);',
    { lib: 'export const a = (' },
  ],
])('%s', (expected, code, libraries) => {
  expect(told(code, libraries)).toBe(expected);
});
