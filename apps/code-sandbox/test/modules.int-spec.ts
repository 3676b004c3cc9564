import { describe, expect, it } from '@jest/globals';
import { failed, ok, useSandbox } from './support/sandbox.js';

const EVENTS = [{}, {}];
const EXPECTED = 'Error: Expected one of transformEvent,transformBatch. Found';
const IDENTITY = 'export const transformEvent = (e) => e;';

describe('modules', () => {
  const sandbox = useSandbox();
  const libraries = {
    tools:
      'export default { v: 9 }; export const add = (a, b) => a + b; export let count = 0; export const up = () => { count += 1; };',
    outer: 'import { add } from "tools"; export const addTwo = (n) => add(n, 2);',
    left: 'import { right } from "right"; export const left = () => right();',
    right: 'import { left } from "left"; export const right = () => typeof left;',
    deep: 'import "self"; export const deep = 1;',
    self: 'import * as self from "self"; export const me = self;',
    broken: 'export const a = (',
  };

  it.each([
    ['a default import', 'import t from "tools"', 't.v', 9],
    ['a named import', 'import { add } from "tools"', 'add(1, 2)', 3],
    ['an alias', 'import { add as plus } from "tools"', 'plus(1, 2)', 3],
    ['a namespace', 'import * as t from "tools"', 'Object.keys(t).join()', 'add,count,default,up'],
    ['a live binding', 'import { count, up } from "tools"; up()', 'count', 1],
    ['a re-export', 'import { add } from "tools"; export { count } from "tools"', 'add(1, 1)', 2],
    ['a library that imports one', 'import { addTwo } from "outer"', 'addTwo(1)', 3],
    ['a library twice', 'import { add } from "tools"; import { addTwo } from "outer"', 'add(addTwo(1), 1)', 4],
    ['top-level await', 'const x = await Promise.resolve(4)', 'x', 4],
  ])('%s works', async (_what, head, expression, value) => {
    const code = `${head}; export const transformEvent = () => ({ value: ${expression} });`;
    expect(await sandbox.results({ code, libraries })).toEqual([ok({ value })]);
  });

  it.each([
    [
      'an unknown library',
      `import { a } from "ghost"; ${IDENTITY}`,
      'Error: import from ghost failed. Module not found.',
    ],
    [
      'a ready-made library of another server',
      `import { sha256 } from "@rs/hash/v1"; ${IDENTITY}`,
      'Error: import from @rs/hash/v1 failed. Module not found.',
    ],
    [
      'a module of Node',
      `import fs from "node:fs"; ${IDENTITY}`,
      'Error: import from node:fs failed. Module not found.',
    ],
    [
      "Weir's own driver",
      `import { furnish } from "weir:driver"; ${IDENTITY}`,
      'Error: import from weir:driver failed. Module not found.',
    ],
    [
      'libraries in a circle',
      `import { left } from "left"; ${IDENTITY}`,
      'Error: libraries import each other in a circle: left -> right -> left. Remove one of these imports.',
    ],
    [
      'a library that imports itself, further down',
      `import { deep } from "deep"; ${IDENTITY}`,
      'Error: libraries import each other in a circle: self -> self. Remove one of these imports.',
    ],
    ['itself', `import * as c from "weir:code"; ${IDENTITY}`, 'Error: import from weir:code failed. Module not found.'],
    [
      'a library under its file name',
      `import * as c from "library tools"; ${IDENTITY}`,
      'Error: import from library tools failed. Module not found.',
    ],
    [
      'a missing member',
      `import { nope } from "tools"; ${IDENTITY}`,
      "SyntaxError: The requested module 'tools' does not provide an export named 'nope'",
    ],
    [
      'a broken library',
      `import { a } from "broken"; ${IDENTITY}`,
      'SyntaxError: Unexpected end of input [library broken:1:19]',
    ],
    [
      'a syntax error',
      'export function transformEvent() {\n  const 1a = 3;\n}',
      'SyntaxError: Invalid or unexpected token [my code:2:9]',
    ],
    ['unfinished code', 'export const transformEvent = (', 'SyntaxError: Unexpected end of input [my code:1:32]'],
    ['an error at module level', `${IDENTITY}\nthrow new Error("at load");`, 'Error: at load\n    at my code:2:7'],
    ['a text thrown at module level', `${IDENTITY} throw "text";`, 'Error: thrown: text (not an Error object)'],
    [
      'no function',
      'function transformEvent(e) { return e; }',
      `${EXPECTED} none: start with export function transformEvent(event) { return event; }`,
    ],
    ['nothing', '', `${EXPECTED} none: start with export function transformEvent(event) { return event; }`],
    [
      'a default function',
      'export default function transformEvent() {}',
      `${EXPECTED} none: start with export function transformEvent(event) { return event; }`,
    ],
    [
      'a constant',
      'export const transformEvent = 1;',
      `${EXPECTED} none: start with export function transformEvent(event) { return event; }`,
    ],
    [
      'both functions',
      `${IDENTITY} export function transformBatch() {}`,
      `${EXPECTED} transformEvent,transformBatch: export only one of them`,
    ],
  ])('%s fails every event alike, and the check', async (_what, code, message) => {
    expect(await sandbox.besideNeighbour({ code, libraries, events: EVENTS })).toEqual([
      failed(message),
      failed(message),
    ]);
    expect(await sandbox.check({ code, libraries })).toEqual({ error: expect.objectContaining({ message }) });
  });

  it('says where a syntax error is', async () => {
    const { error } = await sandbox.check({ code: 'export const a = 1;\nconst 1b;', name: 'mine' });
    expect(error?.frame).toEqual({ file: 'mine', line: 2, column: 7 });
  });

  it('dynamic import fails its event', async () => {
    const code = 'export const transformEvent = async (e) => (await import("tools")) && e;';
    const [result] = await sandbox.results({ code, libraries });
    expect(result).toEqual(failed(expect.stringMatching(/^Error: Not supported/)));
  });

  it('a broken library that nobody imports does no harm', async () => {
    expect(await sandbox.results({ code: IDENTITY, libraries, events: [{ a: 1 }] })).toEqual([ok({ a: 1 })]);
  });

  it('a library is checked for itself, a transformation for its function', async () => {
    const code = 'import { add } from "tools"; export const twice = (n) => add(n, n);';
    expect(await sandbox.check({ code, libraries }, 'library')).toEqual({});
    expect((await sandbox.check({ code, libraries })).error?.message).toMatch(/Expected one of/);
    expect(await sandbox.check({ code: IDENTITY })).toEqual({});
    expect((await sandbox.check({ code: 'throw new Error("no")' }, 'library')).error?.message).toMatch(/^Error: no/);
  });

  it('code is not mistaken for other code of the same file name and length', async () => {
    const code = 'import { v } from "lib"; export const transformEvent = () => ({ v, w: 2 });';
    const library = 'export const v = 1; export const transformEvent = () => ({ v, w: 3, xxxxxx });';
    const filler = ' '.repeat(Math.abs(code.length - library.length));
    for (let run = 0; run < 3; run += 1) {
      const results = await sandbox.results({ code: code + filler, name: 'library lib', libraries: { lib: library } });
      expect(results).toEqual([ok({ v: 1, w: 2 })]);
    }
  });

  it('other code under a known key is not mistaken for the old one', async () => {
    const named = (value: number, extra = '') => ({
      code: `import { v } from "lib"; export const transformEvent = () => ({ v });${extra}`,
      libraries: { lib: `export const v = ${value};` },
    });
    expect(await sandbox.results(named(1))).toEqual([ok({ v: 1 })]);
    expect(await sandbox.results(named(2))).toEqual([ok({ v: 2 })]);
    expect(await sandbox.results(named(1))).toEqual([ok({ v: 1 })]);
  });
});
