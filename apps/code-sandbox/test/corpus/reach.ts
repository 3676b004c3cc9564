import { type Attack, attempt, type Family, failed, GOT_NOTHING } from './attack.js';

const NO_PROCESS = failed('ReferenceError: process is not defined');
/** Makes code from text by way of the constructor of a value's constructor. */
const chain = (what: string): Attack[1] => attempt(`return (${what}).constructor.constructor("return process.env")();`);

/** Every kind of value leads to a maker of functions. All must be of the realm of user code. */
const chains: Attack[] = [
  ['a text', chain('""'), NO_PROCESS],
  ['a large integer', chain('1n'), NO_PROCESS],
  ['a symbol', chain('Symbol.iterator'), NO_PROCESS],
  ['a pattern', chain('/a/'), NO_PROCESS],
  ['an iterator', chain('[][Symbol.iterator]()'), NO_PROCESS],
  ['an iterator of matches', chain('"a".matchAll(/a/g)'), NO_PROCESS],
  ['a weak reference', chain('new WeakRef({})'), NO_PROCESS],
  ['a proxy', chain('new Proxy({}, {})'), NO_PROCESS],
  ['a date', chain('new Date()'), NO_PROCESS],
  ['a formatter', chain('new Intl.DateTimeFormat()'), NO_PROCESS],
  ['parts of a segmenter', chain('new Intl.Segmenter().segment("a")[Symbol.iterator]()'), NO_PROCESS],
  ['a view of bytes', chain('new DataView(new ArrayBuffer(1))'), NO_PROCESS],
  ['raw JSON', attempt('return Object.getPrototypeOf(JSON.rawJSON("1")) ?? undefined;'), GOT_NOTHING],
  [
    'a module',
    attempt('return Object.getPrototypeOf(lib) ?? undefined;', 'import * as lib from "lib";'),
    GOT_NOTHING,
    { libraries: { lib: '' } },
  ],
  ['import.meta', attempt('return Object.getPrototypeOf(import.meta) ?? undefined;'), GOT_NOTHING],
  ['groups of a match', attempt('return Object.getPrototypeOf(/(?<a>a)/.exec("a").groups) ?? undefined;'), GOT_NOTHING],
  ['what cannot be listed', attempt('return [][Symbol.unscopables].constructor;'), GOT_NOTHING],
  ['the strings of a tag', chain('((strings) => strings)`a`'), NO_PROCESS],
  ['the thrower of types', chain('Object.getOwnPropertyDescriptor(Function.prototype, "caller").get'), NO_PROCESS],
  ['an async generator function', chain('Object.getPrototypeOf(async function* () {})'), NO_PROCESS],
  ['a settled result', chain('(await Promise.allSettled([Promise.reject(1)]))[0]'), NO_PROCESS],
  [
    'an error of an import',
    attempt('try { await import("x"); } catch (e) { return e.constructor.constructor("return process.env")(); }'),
    NO_PROCESS,
  ],
  ['a digest', chain('await crypto.subtle.digest("SHA-256", new Uint8Array(1))'), NO_PROCESS],
  ['an encoded text', chain('new TextEncoder().encode("a")'), NO_PROCESS],
  ['parameters of an address', chain('new URL("http://a/?b=c").searchParams.entries().next()'), NO_PROCESS],
  ['a clone', chain('structuredClone(new Map([[{}, new Error("e")]]))'), NO_PROCESS],
  [
    'a clone of an event with a foreign kind',
    attempt(
      'return structuredClone({ __proto__: null, constructor: 1 }).constructor.constructor.constructor("return process")();',
    ),
    NO_PROCESS,
  ],
  ['a stack of resources', chain('new DisposableStack()'), NO_PROCESS],
];

const withheld: Attack[] = [
  [
    'shared memory by way of a view',
    attempt('return new Uint8Array(new ArrayBuffer(8, { shared: true })).buffer.growable;'),
    GOT_NOTHING,
  ],
  [
    'a memory of WebAssembly by way of its tag',
    attempt('return Reflect.ownKeys(globalThis).find((k) => globalThis[k]?.[Symbol.toStringTag] === "WebAssembly");'),
    GOT_NOTHING,
  ],
  [
    'a compiled module by way of an error',
    attempt('return [RangeError, TypeError].find((E) => E.name === "CompileError");'),
    GOT_NOTHING,
  ],
  [
    'waiting by way of a promise',
    attempt('return Object.getOwnPropertyNames(Promise).find((k) => /wait|delay|timeout/i.test(k));'),
    GOT_NOTHING,
  ],
  [
    'what is withheld, asked by code made of text',
    attempt(
      'return Function("return [typeof WebAssembly, typeof Atomics, typeof SharedArrayBuffer, typeof FinalizationRegistry].find((t) => t !== \'undefined\')")();',
    ),
    GOT_NOTHING,
  ],
  [
    'what is withheld, in the prototype of the global object',
    attempt(
      'return Reflect.ownKeys(Object.getPrototypeOf(globalThis)).find((k) => k === "WebAssembly" || k === "Atomics");',
    ),
    GOT_NOTHING,
  ],
];

export const reach: Family = {
  name: 'what can be reached',
  memoryMb: 48,
  attacks: [...chains, ...withheld],
};
