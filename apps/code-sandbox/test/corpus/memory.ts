import { type Attack, each, eachAsync, type Family } from './attack.js';

const refused = (at: string) => ({ error: `RangeError: Array buffer allocation failed\n    at ${at}` });
const tooLong = (at: string) => ({ error: `RangeError: Invalid string length\n    at ${at}` });

const growing: Attack[] = [
  ['array', each('const a = []; for (;;) a.push({ a: [a.length] });'), 'memory'],
  ['array of filled arrays', each('const a = []; for (;;) a.push(new Array(1e5).fill("x" + a.length));'), 'memory'],
  ['array that doubles', each('let a = [{}]; for (;;) a = a.concat(a);'), 'memory'],
  ['array by index', each('const a = []; for (let i = 0; ; i += 1) a[i] = { i };'), 'memory'],
  ['map', each('const m = new Map(); for (let i = 0; ; i += 1) m.set("key" + i, { i });'), 'memory'],
  ['map of maps', each('let m = new Map(); for (;;) m = new Map([[m, [m]]]);'), 'memory'],
  ['set', each('const s = new Set(); for (let i = 0; ; i += 1) s.add("v" + i);'), 'memory'],
  [
    'weak map with living keys',
    each('const k = []; const w = new WeakMap(); for (;;) { const o = {}; k.push(o); w.set(o, { o }); }'),
    'memory',
  ],
  ['object', each('const o = {}; for (let i = 0; ; i += 1) o["key" + i] = { i };'), 'memory'],
  ['global object', each('for (let i = 0; ; i += 1) globalThis["key" + i] = { i };'), 'memory'],
  ['linked list', each('let n = null; for (;;) n = { n, x: [1, 2, 3] };'), 'memory'],
  ['closures', each('const f = []; for (;;) { const x = [f.length]; f.push(() => x); }'), 'memory'],
  ['symbols', each('const a = []; for (;;) a.push(Symbol("s" + a.length));'), 'memory'],
  [
    'generators',
    each('const a = []; for (;;) { const g = (function* () { yield 1; })(); g.next(); a.push(g); }'),
    'memory',
  ],
  ['promises that wait', each('const a = []; for (;;) a.push(new Promise(() => {}));'), 'memory'],
  ['dates', each('const a = []; for (;;) a.push(new Date(a.length));'), 'memory'],
  ['errors with stacks', each('const a = []; for (;;) a.push(new Error("x"));'), 'memory'],
  ['functions made of text', each('const a = []; for (;;) a.push(Function("return " + a.length));'), 'memory'],
  ['large integers', each('const a = []; for (;;) a.push(BigInt(a.length) << 8000n);'), 'memory'],
  [
    'an endless iterator, spread',
    each('return [...(function* () { for (let i = 0; ; i += 1) yield { i }; })()];'),
    'memory',
  ],
  ['after an await', eachAsync('await null; const a = []; for (;;) a.push({ a: [a.length] });'), 'memory'],
  [
    'at module level',
    'const a = []; for (;;) a.push({ a: [a.length] }); export const transformEvent = (e) => e;',
    'memory',
  ],
  [
    'in a getter of the result',
    each('return { get a() { const a = []; for (;;) a.push({ a: [a.length] }); } };'),
    'memory',
  ],
];

const text: Attack[] = [
  ['flat texts', each('const a = []; for (;;) a.push(JSON.stringify("x".repeat(1e5) + a.length));'), 'memory'],
  ['one text that doubles', each('let s = "x"; for (;;) s += s;'), tooLong('transformEvent (my code:1:78)')],
  [
    'one text, repeated',
    each('return { n: "x".repeat(2 ** 30).length };'),
    tooLong('String.repeat (<anonymous>)\n    at transformEvent (my code:1:67)'),
  ],
  [
    'padding',
    each('"x".padEnd(2 ** 30);'),
    tooLong('String.padEnd (<anonymous>)\n    at transformEvent (my code:1:55)'),
  ],
  [
    'an array joined',
    each('return { n: new Array(2 ** 28).join("xxxx").length };'),
    tooLong('Array.join (<anonymous>)\n    at transformEvent (my code:1:82)'),
  ],
  [
    'a text split into letters',
    each('const a = []; for (;;) a.push(("x".repeat(1e5) + a.length).split(""));'),
    'memory',
  ],
];

const binary: Attack[] = [
  [
    'one huge buffer',
    each('new ArrayBuffer(2 ** 40);'),
    refused('new ArrayBuffer (<anonymous>)\n    at transformEvent (my code:1:51)'),
  ],
  [
    'many buffers',
    each('const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1));'),
    refused('new ArrayBuffer (<anonymous>)\n    at new Uint8Array (<anonymous>)\n    at transformEvent (my code:1:81)'),
  ],
  [
    'a huge typed array',
    each('new Float64Array(2 ** 31);'),
    refused(
      'new ArrayBuffer (<anonymous>)\n    at new Float64Array (<anonymous>)\n    at transformEvent (my code:1:51)',
    ),
  ],
  [
    'a buffer that can grow',
    each('const b = new ArrayBuffer(8, { maxByteLength: 2 ** 29 }); return { can: typeof b.resize };'),
    { output: { can: 'undefined' } },
  ],
  [
    'a buffer that can grow, by way of a typed array',
    each('const b = new (new Uint8Array(1).buffer.constructor)(8, { maxByteLength: 2 ** 29 }); b.resize(2 ** 29);'),
    { error: 'TypeError: b.resize is not a function\n    at transformEvent (my code:1:138)' },
  ],
  [
    'a buffer that can grow, by way of a subclass',
    each('class A extends ArrayBuffer {} return { can: new A(8, { maxByteLength: 2 ** 29 }).resizable ?? "no" };'),
    { output: { can: 'no' } },
  ],
  [
    'a buffer moved to a larger one',
    each(
      'const a = []; for (;;) { const b = new ArrayBuffer(8).transfer(2 ** 26); new Uint8Array(b).fill(1); a.push(b); }',
    ),
    refused('ArrayBuffer.transfer (<anonymous>)\n    at transformEvent (my code:1:105)'),
  ],
  ['encoded texts', each('const a = []; for (;;) a.push(new TextEncoder().encode("x".repeat(1e5)));'), 'memory'],
  [
    'an array length',
    each('new Array(-1);'),
    { error: 'RangeError: Invalid array length\n    at transformEvent (my code:1:51)' },
  ],
];

export const memory: Family = {
  name: 'growing',
  memoryMb: 16,
  attacks: [...growing, ...text, ...binary],
};
