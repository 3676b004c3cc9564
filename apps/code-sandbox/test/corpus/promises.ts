import { type Attack, after, each, eachAsync, type Family, NEVER, OVERFLOW } from './attack.js';

const thenables: Attack[] = [
  [
    'then that is a getter that throws',
    each('return { get then() { throw new Error("then"); } };'),
    { failing: 'Error: then' },
  ],
  [
    'then that is there only once',
    each('let n = 0; return { a: 1, get then() { n += 1; return n === 1 ? () => {} : undefined; } };'),
    { output: { a: 1 } },
  ],
  [
    'then that throws after it answered',
    each('return { then(done) { done({ a: 1 }); throw new Error("after"); } };'),
    { output: { a: 1 } },
  ],
  [
    'then that answers later and again',
    eachAsync(
      'return { then(done, fail) { Promise.resolve().then(() => { done({ a: 1 }); fail(1); done({ a: 2 }); }); } };',
    ),
    { output: { a: 1 } },
  ],
  [
    'then that keeps the functions for another event',
    'let keep; export const transformEvent = ({ n }) => ({ then(done) { if (keep) keep({ n: "other", by: n }); else keep = done; } });',
    [{ output: { n: 'other', by: 2 } }, NEVER],
    { events: [{ n: 1 }, { n: 2 }] },
  ],
  [
    'then that answers with the event of another',
    'const all = []; export const transformEvent = (e) => { all.push(e); return { then: (done) => Promise.resolve().then(() => done(all[0])) }; };',
    [{ output: { n: 1 } }, { output: { n: 1 } }],
    { events: [{ n: 1 }, { n: 2 }] },
  ],
  [
    'a function with then',
    each('return Object.assign(() => 1, { then: (done) => done({ a: 1 }) });'),
    { output: { a: 1 } },
  ],
  [
    'a list with then',
    each('return Object.assign([{ a: 1 }], { then: (done) => done({ b: 1 }) });'),
    { output: { b: 1 } },
  ],
  [
    'a proxy that is a thenable for some',
    each(
      'let n = 0; return new Proxy({ a: 1 }, { get: (t, k) => (k === "then" ? ((n += 1) === 1 ? (done) => done({ forged: 1 }) : undefined) : t[k]) });',
    ),
    { output: { a: 1 } },
  ],
  [
    'thenables in thenables',
    each(
      'let t = { a: 1 }; for (let i = 0; i < 1e5; i += 1) { const inner = t; t = { then: (done) => done(inner) }; } return t;',
    ),
    { output: { a: 1 } },
  ],
  [
    'thenables that call each other',
    each('const t = { then(done, fail) { t.then(done, fail); } }; return t;'),
    OVERFLOW,
  ],
];

const constructors: Attack[] = [
  [
    'a promise with its own constructor',
    each('const p = Promise.resolve({ a: 1 }); p.constructor = function () { throw new Error("made"); }; return p;'),
    { output: { a: 1 } },
  ],
  [
    'a promise with a constructor that throws when asked',
    each(
      'const p = Promise.resolve({ a: 1 }); Object.defineProperty(p, "constructor", { get() { throw new Error("asked"); } }); return p;',
    ),
    { failing: 'Error: asked' },
  ],
  [
    'a promise with its own then',
    each('const p = Promise.resolve({ a: 1 }); p.then = (done) => done({ b: 1 }); return p;'),
    { output: { a: 1 } },
  ],
  [
    'a subclass with its own then',
    each('class P extends Promise { then(done) { done({ b: 1 }); } } return P.resolve({ a: 1 });'),
    { output: { b: 1 } },
  ],
  ['a subclass that is never resolved', each('class P extends Promise { then() {} } return new P(() => {});'), NEVER],
  [
    'the constructor of all promises is replaced',
    after('Promise.prototype.constructor = class {}', 'Promise.resolve({ a: 1 })'),
    { output: { a: 1 } },
  ],
  [
    'the species of all promises is replaced',
    each(
      'Object.defineProperty(Promise, Symbol.species, { value: class { constructor() { throw 1; } } }); return (async () => ({ a: 1 }))();',
    ),
    { output: { a: 1 } },
  ],
  [
    'then of all promises forges',
    after(
      'Promise.prototype.then = function (done) { done({ forged: 1 }); return this; }; const p = Promise.resolve({ a: 1 })',
      'p',
    ),
    { output: { a: 1 } },
  ],
  [
    'then of all objects throws',
    after('Object.defineProperty(Object.prototype, "then", { get() { throw new Error("then"); } })'),
    { failing: 'Error: then' },
  ],
  [
    'resolvers that are used by others',
    each('const { promise, resolve } = Promise.withResolvers(); resolve(promise); return promise;'),
    { failing: 'TypeError: Chaining cycle detected for promise' },
  ],
  ['a try that throws', each('return Promise.try(() => { throw new Error("tried"); });'), { failing: 'Error: tried' }],
];

export const promises: Family = {
  name: 'promises and iterators',
  memoryMb: 32,
  attacks: [...thenables, ...constructors],
};
