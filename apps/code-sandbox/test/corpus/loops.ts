import { type Attack, each, eachAsync, type Family } from './attack.js';

const LOOP = 'for (;;);';

const forms: Attack[] = [
  ['while', each('while (true) {}'), 'timeout'],
  ['for', each(LOOP), 'timeout'],
  ['do while', each('do {} while (1);'), 'timeout'],
  ['with labels', each('outer: for (;;) { for (;;) continue outer; }'), 'timeout'],
  ['over an endless iterator', each('for (const x of (function* () { for (;;) yield 1; })());'), 'timeout'],
  ['with a changing condition', each('for (let i = 0; i >= 0; i = (i + 1) % 7);'), 'timeout'],
  ['waiting for the clock', each('const end = Date.now() + 1e7; while (Date.now() < end);'), 'timeout'],
  ['swallowing exceptions', each(`for (;;) { try { throw 1; } catch {} finally { continue; } }`), 'timeout'],
  ['in a finally', each(`try { throw 1; } finally { ${LOOP} }`), 'timeout'],
  ['in a default parameter', `export const transformEvent = (e, m, x = (() => { ${LOOP} })()) => e;`, 'timeout'],
  ['in transformBatch', `export function transformBatch(events) { ${LOOP} }`, 'timeout'],
  ['in code made of text', each('Function("for (;;);")();'), 'timeout'],
  ['in eval', each('(0, eval)("for (;;);");'), 'timeout'],
];

const hidden: Attack[] = [
  ['in a getter', each(`return ({ get a() { ${LOOP} } }).a;`), 'timeout'],
  ['in a setter', each(`({ set a(_) { ${LOOP} } }).a = 1;`), 'timeout'],
  ['in valueOf', each(`return 1 + { valueOf() { ${LOOP} } };`), 'timeout'],
  ['in toString', each(`return String({ toString() { ${LOOP} } });`), 'timeout'],
  ['in Symbol.toPrimitive', each(`return +{ [Symbol.toPrimitive]() { ${LOOP} } };`), 'timeout'],
  ['in a proxy', each(`return new Proxy({}, { get() { ${LOOP} } }).x;`), 'timeout'],
  ['in a comparison of sort', each(`[3, 2, 1].sort(() => { ${LOOP} });`), 'timeout'],
  ['in a replacer', each(`'abc'.replace(/b/, () => { ${LOOP} });`), 'timeout'],
  ['in a reviver', each(`JSON.parse('[1]', () => { ${LOOP} });`), 'timeout'],
  ['in Symbol.hasInstance', each(`return 1 instanceof { [Symbol.hasInstance]() { ${LOOP} } };`), 'timeout'],
  [
    'in Symbol.species',
    each(`const a = [1]; a.constructor = { [Symbol.species]: function () { ${LOOP} } }; a.map(String);`),
    'timeout',
  ],
  ['in a tagged template', each(`(() => { ${LOOP} })\`x\`;`), 'timeout'],
  ['in a then', eachAsync(`await { then() { ${LOOP} } };`), 'timeout'],
  ['after an await', eachAsync(`await null; ${LOOP}`), 'timeout'],
  ['while handling an overflow', each('const f = () => { try { f(); } finally { f(); } }; f();'), 'timeout'],
  [
    'in a weak callback that would come between runs',
    each('new FinalizationRegistry(() => { for (;;); }).register({}, 1); return event;'),
    { error: /^ReferenceError: FinalizationRegistry is not defined/ },
  ],
];

const atLoad: Attack[] = [
  ['at module level', `export const transformEvent = (e) => e; ${LOOP}`, 'timeout'],
  ['in a static block', `class A { static { ${LOOP} } } export const transformEvent = (e) => e;`, 'timeout'],
  ['in an exported value', `export const transformEvent = (() => { ${LOOP} })();`, 'timeout'],
  [
    'in the stack of what the module throws',
    'const e = new Error("x"); Object.defineProperty(e, "stack", { get() { for (;;); } }); throw e;',
    'timeout',
  ],
  [
    'where an error of the module is prepared',
    'Error.prepareStackTrace = () => { for (;;); }; throw new Error("x");',
    'timeout',
  ],
  ['after a top-level await', `await null; ${LOOP} export const transformEvent = (e) => e;`, 'timeout'],
];

/** The engine itself is busy and checks no clock, so the supervisor must. */
const native: Attack[] = [
  ['a power of large integers', each('return { n: (10n ** 30000000n) % 7n };'), 'timeout'],
  ['a large integer as text', each('return { n: String(3n ** 12000000n).length };'), 'timeout'],
  ['a search through long text', each('const a = "a".repeat(2e6); for (;;) (a + "b").indexOf(a + "c");'), 'timeout'],
  [
    'an array with four billion holes',
    each('const a = []; a.length = 4294967295; a.indexOf(1, 0); a.reverse();'),
    'timeout',
  ],
  ['a list of four billion indexes', each('Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);'), 'timeout'],
  [
    'a sort of nothing, long',
    each('Array.prototype.includes.call(new Proxy({ length: 2 ** 53 - 1 }, {}), 1);'),
    'timeout',
  ],
];

export const loops: Family = {
  name: 'endless loops',
  memoryMb: 64,
  attacks: [...forms, ...hidden, ...atLoad, ...native],
};
