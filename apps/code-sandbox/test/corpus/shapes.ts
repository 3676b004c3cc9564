import { type Attack, each, eachAsync, type Family, NO_OBJECT, NO_OBJECTS, TOO_LARGE } from './attack.js';

/** Values that are no event, though some pretend to be one. */
const kinds: Attack[] = [
  ['a map', each('return new Map([["a", 1]]);'), NO_OBJECT],
  ['a date', each('return new Date(0);'), NO_OBJECT],
  ['a boxed text', each('return Object("text");'), NO_OBJECT],
  [
    'a boxed text that says it is an object',
    each('return Object.assign(Object("{}"), { [Symbol.toStringTag]: "Object" });'),
    NO_OBJECT,
  ],
  [
    'a boxed symbol that says it is an object',
    each('return Object.defineProperty(Object(Symbol("s")), Symbol.toStringTag, { value: "Object" });'),
    { output: {} },
  ],
  [
    'a boxed large integer that says it is an object',
    each('return Object.defineProperty(Object(1n), Symbol.toStringTag, { value: "Object" });'),
    { failing: 'TypeError: Do not know how to serialize a BigInt' },
  ],
  ['an error', each('return new Error("as a result");'), NO_OBJECT],
  ['arguments', each('return (function () { return arguments; })(1, 2);'), NO_OBJECT],
  ['the global object', each('return globalThis;'), { failing: 'TypeError: Converting circular structure to JSON' }],
  ['a weak reference', each('return new WeakRef({ a: 1 });'), NO_OBJECT],
  ['an address', each('return new URL("https://example.com/");'), NO_OBJECT],
  ['a typed array', each('return new Uint8Array(4);'), NO_OBJECT],
  ['a pattern', each('return /a/;'), NO_OBJECT],
  ['a symbol', each('return Symbol("s");'), NO_OBJECT],
  ['a large integer', each('return 10n;'), NO_OBJECT],
  ['not a number', each('return NaN;'), NO_OBJECT],
  [
    'a module',
    'import * as lib from "lib"; export const transformEvent = () => lib;',
    NO_OBJECT,
    { libraries: { lib: 'export const a = 1;' } },
  ],
  ['a formatter of Intl', each('return new Intl.NumberFormat("en");'), NO_OBJECT],
  [
    'a proxy of a date',
    each('return new Proxy(new Date(0), {});'),
    { failing: 'TypeError: this is not a Date object.' },
  ],
  [
    'a proxy of a map',
    each('return new Proxy(new Map(), { get: (t, k) => k === Symbol.toStringTag ? "Object" : undefined });'),
    { output: {} },
  ],
  ['raw JSON of a number', each('return JSON.rawJSON("1");'), NO_OBJECT],
  ['raw JSON of a text that looks like an object', each(`return JSON.rawJSON('"{}"');`), NO_OBJECT],
  ['raw JSON of an object', each('return JSON.rawJSON("{}");'), { failing: 'SyntaxError: Unexpected token' }],
];

/** Values in the place of `transformEvent`. */
const functions: Attack[] = [
  ['a generator', 'export function* transformEvent(event) { yield event; }', NO_OBJECT],
  ['an async generator', 'export async function* transformEvent(event) { yield event; }', NO_OBJECT],
  [
    'a class',
    'export class transformEvent {}',
    { failing: "TypeError: Class constructor transformEvent cannot be invoked without 'new'" },
  ],
  ['eval', 'export const transformEvent = eval;', { output: {} }],
  [
    'the maker of functions',
    'export const transformEvent = Function;',
    { failing: "SyntaxError: Unexpected identifier 'Object'" },
  ],
  ['a function of the language that returns a list', 'export const transformEvent = Reflect.ownKeys;', 'dropped'],
  ['log', 'export const transformEvent = log;', 'dropped'],
  ['fetch', 'export const transformEvent = fetch;', NO_OBJECT],
  ['getCredential', 'export const transformEvent = getCredential;', 'dropped'],
  [
    'a proxy',
    'export const transformEvent = new Proxy(function () {}, { apply: (t, self, parts) => ({ self: typeof self, parts: parts.length }) });',
    { output: { self: 'undefined', parts: 2 } },
  ],
  [
    'a revoked proxy',
    'const { proxy, revoke } = Proxy.revocable(() => 1, {}); revoke(); export const transformEvent = proxy;',
    { failing: "TypeError: Cannot perform 'apply' on a proxy that has been revoked" },
  ],
  [
    'a bound function of itself, a thousand times',
    'let f = (e) => ({ a: 1 }); for (let i = 0; i < 1000; i += 1) f = f.bind(null); export const transformEvent = f;',
    { output: { a: 1 } },
  ],
  [
    'a function of loose code',
    'export const transformEvent = Function("e", "return { self: this === globalThis, caller: String(arguments.callee.caller) }");',
    { output: { self: true, caller: 'null' } },
  ],
  [
    'a binding that changes',
    'export let transformEvent = () => { transformEvent = () => ({ n: 2 }); return { n: 1 }; };',
    [{ output: { n: 1 } }, { output: { n: 1 } }],
    { events: [{}, {}] },
  ],
];

/** Lists whose length or elements depend on who looks. */
const lists: Attack[] = [
  ['the same event twice', each('return [event, event];'), { outputs: [{}, {}] }],
  ['a hole', each('return [, { a: 1 }];'), NO_OBJECTS],
  ['a list in a list', each('return [[{ a: 1 }]];'), NO_OBJECTS],
  ['null among events', each('return [{ a: 1 }, null];'), NO_OBJECTS],
  [
    'a subclass',
    each('class L extends Array { get length2() { return 1; } } return L.of({ a: 1 });'),
    { output: { a: 1 } },
  ],
  [
    'an element that removes the others',
    each(
      'const l = [0, { b: 2 }]; Object.defineProperty(l, 0, { get() { l.length = 1; return { a: 1 }; } }); return l;',
    ),
    { output: { a: 1 } },
  ],
  [
    'an element that adds others',
    each('const l = [{ get a() { if (l.length < 3) l.push({ b: l.length }); return 1; } }]; return l;'),
    { outputs: [{ a: 1 }, { b: 1 }] },
  ],
  [
    'a list that grows while it is read',
    each('let n = 0; return new Proxy([], { get: (t, k) => k === "length" ? (n += 1) + 1 : {} });'),
    TOO_LARGE,
  ],
  [
    'a length that is no number',
    each('return new Proxy([], { get: (t, k) => (k === "length" ? NaN : t[k]) });'),
    'dropped',
  ],
  [
    'a length that throws when it is compared',
    each(
      'return new Proxy([], { get: (t, k) => k === "length" ? { valueOf() { throw new Error("compared"); } } : t[k] });',
    ),
    { failing: 'Error: compared' },
  ],
  [
    'a length that is a symbol',
    each('return new Proxy([], { get: (t, k) => (k === "length" ? Symbol("n") : t[k]) });'),
    { failing: 'TypeError: ' },
  ],
  [
    'a length that is an endless large integer',
    each(
      'return new Proxy([{ a: 1 }], { get: (t, k) => (k === "length" ? 10n ** 30n : k === "then" ? undefined : t[0]) });',
    ),
    TOO_LARGE,
  ],
  [
    'a list with its own toJSON',
    each('return Object.assign([{ a: 1 }], { toJSON: () => "forged" });'),
    { output: { a: 1 } },
  ],
  [
    'a list whose iterator lies',
    each('return Object.assign([{ a: 1 }], { [Symbol.iterator]: function* () { yield { forged: 1 }; } });'),
    { output: { a: 1 } },
  ],
  ['a frozen list that holds the event', each('return Object.freeze([Object.freeze(event)]);'), { output: {} }],
  ['promises in a list', eachAsync('return [Promise.resolve({ a: 1 })];'), NO_OBJECTS],
];

export const shapes: Family = { name: 'shapes of results', memoryMb: 48, attacks: [...kinds, ...functions, ...lists] };
