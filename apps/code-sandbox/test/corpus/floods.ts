import { type Attack, each, eachAsync, type Family, NEVER } from './attack.js';

const endless: Attack[] = [
  ['awaiting for ever', eachAsync('for (;;) await null;'), 'timeout'],
  ['a chain that feeds itself', each('const f = () => Promise.resolve().then(f); return f();'), 'timeout'],
  ['that nobody awaits', each('const f = () => { Promise.resolve().then(f); }; f(); return event;'), 'timeout'],
  [
    'doubling',
    each('const f = () => { Promise.resolve().then(f); Promise.resolve().then(f); }; f(); return event;'),
    'timeout',
  ],
  ['of rejections', each('const f = () => Promise.reject(1).catch(f); return f();'), 'timeout'],
  ['of thenables', eachAsync('const t = { then(done) { done(t); } }; await t;'), 'timeout'],
  ['of async generators', eachAsync('for await (const x of (async function* () { for (;;) yield 1; })());'), 'timeout'],
  ['of finally', each('const f = () => Promise.resolve().finally(f); return f();'), 'timeout'],
  [
    'two that wake each other',
    eachAsync('const a = async () => { for (;;) await 0; }; await Promise.all([a(), a()]);'),
    'timeout',
  ],
  [
    'at module level',
    'const f = () => { Promise.resolve().then(f); }; f(); export const transformEvent = (e) => e;',
    'timeout',
  ],
];

const ending: Attack[] = [
  ['a promise that never settles', each('return new Promise(() => {});'), NEVER],
  ['a thenable that never settles', each('return { then() {} };'), NEVER],
  ['a race of none', each('return Promise.race([]);'), NEVER],
  [
    'a promise of itself',
    each('const p = Promise.resolve().then(() => p); return p;'),
    { error: 'TypeError: Chaining cycle detected for promise #<Promise>' },
  ],
  [
    'a top-level promise that never settles',
    'await new Promise(() => {}); export const transformEvent = (e) => e;',
    'timeout',
  ],
  ['a rejection that nobody handles', each('Promise.reject(new Error("lost")); return event;'), { output: {} }],
  [
    'many rejections that nobody handles',
    each('for (let i = 0; i < 1e4; i += 1) Promise.reject(i); return event;'),
    { output: {} },
  ],
  [
    'a hundred thousand promises',
    eachAsync('await Promise.all(Array.from({ length: 1e5 }, async (_, i) => i)); return event;'),
    { output: {} },
  ],
];

const ofLogs: Attack[] = [
  ['logging for ever', each('for (;;) log("x");'), 'timeout'],
  ['logging what loops', each('log({ toJSON() { for (;;); } });'), 'timeout'],
  ['logging from promises', eachAsync('for (;;) { log("x"); await null; }'), 'timeout'],
  ['errors on console for ever', each('for (;;) console.error("x");'), 'timeout'],
];

export const floods: Family = {
  name: 'floods of promises and logs',
  memoryMb: 96,
  attacks: [...endless, ...ending, ...ofLogs],
};
