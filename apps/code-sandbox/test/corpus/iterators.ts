import { type Attack, each, eachAsync, type Family, NEVER, OVERFLOW } from './attack.js';

const ofIterators: Attack[] = [
  [
    'an async iterator that never answers',
    eachAsync('for await (const _ of { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) });'),
    NEVER,
  ],
  [
    'an async iterator that answers without end',
    eachAsync('for await (const _ of { [Symbol.asyncIterator]: () => ({ next: () => ({ value: 1 }) }) });'),
    'timeout',
  ],
  [
    'an async iterator whose end throws',
    eachAsync(
      'for await (const _ of { [Symbol.asyncIterator]: () => ({ next: () => ({ value: 1 }), return() { throw new Error("end"); } }) }) break;',
    ),
    { failing: 'Error: end' },
  ],
  [
    'a generator that goes on after its return',
    each(
      'const g = (function* () { try { yield 1; } finally { for (;;) yield 2; } })(); for (const _ of g) break; return { next: g.next().value };',
    ),
    { output: { next: 2 } },
  ],
  [
    'a generator that calls itself while it runs',
    each('const g = (function* () { g.next(); })(); g.next();'),
    { failing: 'TypeError: Generator is already running' },
  ],
  [
    'a generator that is thrown into',
    each('const g = (function* () { for (;;) try { yield 1; } catch {} })(); g.next(); for (;;) g.throw(1);'),
    'timeout',
  ],
  [
    'a queue of an async generator',
    eachAsync('const g = (async function* () { for (;;) yield 1; })(); for (;;) g.next();'),
    'timeout',
  ],
  [
    'a list from an async iterator without end',
    eachAsync(
      'await Array.fromAsync({ async *[Symbol.asyncIterator]() { for (let i = 0; ; i += 1) yield Array(1e3).fill(i); } });',
    ),
    'memory',
  ],
  [
    'helpers of iterators, chained',
    each(
      'let i = [1].values(); for (let n = 0; n < 1e4; n += 1) i = i.map((x) => x + 1); return { a: i.next().value };',
    ),
    { output: { a: 10_001 } },
  ],
  ['a flat map without end', each('const f = function* () { yield* [1].values().flatMap(f); }; f().next();'), OVERFLOW],
  [
    'an iterator that lies about its end',
    each(
      'return { n: [...Iterator.from({ next() { return { get done() { this.n = (this.n ?? 0) + 1; return true; }, get value() { throw 1; } }; } })].length };',
    ),
    { output: { n: 0 } },
  ],
  [
    'resources that are never given back',
    eachAsync('await using r = { [Symbol.asyncDispose]: () => new Promise(() => {}) }; return { a: 1 };'),
    { failing: 'x' },
  ],
];

const storms: Attack[] = [
  [
    'rejections that are handled late',
    eachAsync(
      'const all = Array.from({ length: 1e4 }, (_, i) => Promise.reject(i)); await null; await Promise.allSettled(all); return { n: all.length };',
    ),
    { output: { n: 10_000 } },
  ],
  [
    'a race of a hundred thousand',
    eachAsync('return Promise.race(Array.from({ length: 1e5 }, async (_, n) => ({ n })));'),
    { output: { n: 0 } },
  ],
  [
    'any of those that all fail',
    eachAsync('return Promise.any(Array.from({ length: 1e4 }, () => Promise.reject(1)));'),
    { failing: 'AggregateError: All promises were rejected' },
  ],
  [
    'promises that wait for those of other events',
    'let before; export const transformEvent = async ({ n }) => { const p = before; before = new Promise((done) => p ? p.then(done) : done()); await before; return { n }; };',
    [{ output: { n: 1 } }, { output: { n: 2 } }, { output: { n: 3 } }],
    { events: [{ n: 1 }, { n: 2 }, { n: 3 }] },
  ],
  [
    'events that wait for each other',
    'const waits = []; export const transformEvent = ({ n }) => new Promise((done) => { waits[n] = done; waits[1 - n]?.({ n: "other" }); });',
    [{ output: { n: 'other' } }, NEVER],
    { events: [{ n: 0 }, { n: 1 }] },
  ],
  [
    'a recursion through awaits',
    eachAsync('const f = async (n) => (n ? await f(n - 1) : 1); return { n: await f(2000) };'),
    { output: { n: 1 } },
  ],
  [
    'microtasks that outlive their event',
    'let late = 0; export const transformEvent = ({ n }) => { if (n === 1) Promise.resolve().then(() => { late += 1; }); return { n, late }; };',
    [{ output: { n: 1, late: 0 } }, { output: { n: 2, late: 0 } }],
    { events: [{ n: 1 }, { n: 2 }] },
  ],
  [
    'a chain that is as long as memory',
    eachAsync('let p = Promise.resolve(); for (;;) p = p.then(() => [p]);'),
    'memory',
  ],
];

export const iterators: Family = {
  name: 'iterators and storms of promises',
  memoryMb: 32,
  attacks: [...ofIterators, ...storms],
};
