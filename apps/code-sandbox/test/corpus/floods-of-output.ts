import { type Attack, each, type Family, TOO_LARGE } from './attack.js';

const ALL_TOO_LARGE = { error: 'The results are larger than 921600 bytes' };

const attacks: Attack[] = [
  ['logging a million lines', each('for (let i = 0; i < 1e5; i += 1) log("line", i); return {};'), { output: {} }],
  ['logging a long text', each('log("x".repeat(1e6)); return {};'), { output: {} }],
  [
    'logging what becomes long as JSON',
    each('for (let i = 0; i < 1e3; i += 1) log("\\0".repeat(1e3)); return {};'),
    { output: {} },
  ],
  [
    'logging deep nesting',
    each('let a = {}; for (let i = 0; i < 1e4; i += 1) a = { a }; log(a); return {};'),
    { output: {} },
  ],
  ['logging a circle', each('const a = {}; a.a = a; log(a); return {};'), { output: {} }],
  [
    'logging a proxy that throws',
    each('try { log(new Proxy({}, { get() { throw 1; } })); } catch {} return {};'),
    { output: {} },
  ],
  ['a huge event', each('return { a: "x".repeat(5e6) };'), TOO_LARGE],
  [
    'a wide event',
    each('return Object.fromEntries(Array.from({ length: 1e5 }, (_, i) => ["key" + i, i]));'),
    TOO_LARGE,
  ],
  ['an event that is long as UTF-8', each('return { a: "€".repeat(4e5) };'), ALL_TOO_LARGE],
  ['a hundred thousand copies', each('return Array.from({ length: 1e5 }, () => ({ a: "xxxxxxxxxx" }));'), TOO_LARGE],
  [
    'one array, many times',
    each('const a = Array(1e4).fill("xxxxxxxxxx"); return { a: Array(300).fill(a) };'),
    TOO_LARGE,
  ],
  ['a message without end', each('throw new Error("x".repeat(5e6));'), { error: /^Error: x{4089}$/ }],
  [
    'a stack without end',
    each(
      'Error.stackTraceLimit = Infinity; const f = (n) => { if (n) return f(n - 1); throw new Error("deep"); }; f(5000);',
    ),
    { error: /^Error: deep\n( {4}at f \(my code:1:\d+\)\n?)+/ },
  ],
  [
    'many events of a batch',
    'export const transformBatch = (events) => Array.from({ length: 1e5 }, () => ({ ...events[0], a: "xxxxxxxxxx" }));',
    ALL_TOO_LARGE,
  ],
  [
    'many bad events of a batch',
    'export const transformBatch = () => Array.from({ length: 1e5 }, () => 1);',
    { error: 'returned event in events array from transformBatch(events) is not an object' },
  ],
];

export const outputFloods: Family = { name: 'log floods and huge outputs', memoryMb: 48, attacks };
