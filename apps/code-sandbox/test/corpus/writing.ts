import { type Attack, each, eachAsync, type Family, NEVER, NO_OBJECT } from './attack.js';

/** Code that runs while its result is written as JSON. */
const code: Attack[] = [
  ['toJSON that gives itself', each('const o = { a: 1, toJSON: () => o }; return o;'), { output: { a: 1 } }],
  ['toJSON that gives a list', each('return { toJSON: () => [{ a: 1 }] };'), NO_OBJECT],
  ['toJSON that gives nothing', each('return { toJSON() {} };'), NO_OBJECT],
  ['toJSON that gives a promise', each('return { toJSON: async () => ({ a: 1 }) };'), { output: {} }],
  ['toJSON that is an object', each('return { toJSON: { a: 1 } };'), { output: { toJSON: { a: 1 } } }],
  [
    'toJSON that is told its place',
    each('return { a: { toJSON: (key) => key }, b: [{ toJSON: (key) => key }] };'),
    { output: { a: 'a', b: ['0'] } },
  ],
  [
    'toJSON of large integers',
    each('BigInt.prototype.toJSON = function () { return String(this); }; return { a: 10n };'),
    { output: { a: '10' } },
  ],
  [
    'toJSON of texts, which JSON does not ask',
    each(
      'String.prototype.toJSON = Number.prototype.toJSON = () => "forged"; return { a: "x", b: 1, c: Object("y") };',
    ),
    { output: { a: 'x', b: 1, c: 'forged' } },
  ],
  [
    'toJSON of dates',
    each('Date.prototype.toISOString = () => ({ forged: 1 }); return { a: new Date(0) };'),
    { output: { a: { forged: 1 } } },
  ],
  [
    'toJSON that changes what comes later',
    each('return { a: { toJSON() { delete event.b; event.c = 2; return 1; } }, event };'),
    { output: { a: 1, event: { c: 2 } } },
    { events: [{ b: 1 }] },
  ],
  [
    'a getter that removes what comes later',
    each('return { get a() { delete this.b; return 1; }, b: 2 };'),
    { output: { a: 1 } },
  ],
  ['a getter that adds something', each('return { get a() { this.b = 2; return 1; } };'), { output: { a: 1 } }],
  [
    'a getter that replaces JSON',
    each('return { get a() { JSON.stringify = () => "forged"; return 1; } };'),
    { output: { a: 1 } },
  ],
  ['a getter that gives a promise', each('return { get a() { return Promise.resolve(1); } };'), { output: { a: {} } }],
  [
    'a getter that calls the function again',
    each('return event.done ? { b: 1 } : { get a() { return transformEvent({ done: true }, metadata); } };'),
    { output: { a: { b: 1 } } },
  ],
  [
    'a getter that throws what cannot be shown',
    each('return { get a() { throw Object.create(null, { stack: { get() { throw 1; } } }); } };'),
    { failing: 'cannot be shown' },
  ],
  [
    'a getter on the prototype that would set the status',
    each(
      'Object.defineProperty(Object.prototype, "status", { get: () => "stopped", configurable: true }); return { a: 1 };',
    ),
    { output: { a: 1 } },
  ],
];

const tags: Attack[] = [
  [
    'a tag that throws',
    each('return { get [Symbol.toStringTag]() { throw new Error("tag"); } };'),
    { failing: 'Error: tag' },
  ],
  [
    'a tag that is no text',
    each('return { [Symbol.toStringTag]: { toString: () => "Array" }, a: 1 };'),
    { output: { a: 1 } },
  ],
  ['a tag of all objects', each('Object.prototype[Symbol.toStringTag] = "Array"; return { a: 1 };'), NO_OBJECT],
  [
    'a tag of all functions, that makes them events',
    each('Object.defineProperty(Function.prototype, Symbol.toStringTag, { value: "Object" }); return () => 1;'),
    NO_OBJECT,
  ],
];

const proxies: Attack[] = [
  [
    'a proxy with a key twice',
    each('return new Proxy({}, { ownKeys: () => ["a", "a"] });'),
    { failing: "TypeError: 'ownKeys' on proxy: trap returned duplicate entries" },
  ],
  [
    'a proxy that revokes itself',
    each(
      'const { proxy, revoke } = Proxy.revocable({ a: 1, b: 2 }, { get(t, k) { if (k === "a") revoke(); return t[k]; } }); return proxy;',
    ),
    { failing: 'on a proxy that has been revoked' },
  ],
  [
    'a proxy whose descriptors throw',
    each('return new Proxy({ a: 1 }, { getOwnPropertyDescriptor() { throw new Error("described"); } });'),
    { failing: 'Error: described' },
  ],
  [
    'a proxy that shows what is not there',
    each(
      'return new Proxy({}, { ownKeys: () => ["a"], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }), get: (t, k) => (k === "a" ? 1 : undefined) });',
    ),
    { output: { a: 1 } },
  ],
  [
    'a proxy that breaks an invariant',
    each('return new Proxy(Object.freeze({ a: 1 }), { get: (t, k) => (k === "a" ? 2 : t[k]) });'),
    { failing: "TypeError: 'get' on proxy: property 'a' is a read-only and non-configurable data property" },
  ],
  [
    'proxies within proxies',
    each('let p = { a: 1 }; for (let i = 0; i < 1e5; i += 1) p = new Proxy(p, {}); return p;'),
    { failing: 'RangeError: Maximum call stack size exceeded' },
  ],
  [
    'a prototype that answers every name',
    each('return Object.setPrototypeOf({ a: 1 }, new Proxy({}, { get: () => () => ({ forged: 1 }) }));'),
    NEVER,
  ],
  [
    'traps that are told the receiver',
    each(
      'let seen = 0; const p = new Proxy({ a: 1 }, { get(t, k, r) { seen += r === p; return k === "a" ? seen : t[k]; } }); return p;',
    ),
    { output: { a: 4 } },
  ],
];

/** Values that JSON cannot write, or writes in another way. */
const values: Attack[] = [
  ['symbols', each('return { [Symbol("k")]: 1, s: Symbol("v"), a: [Symbol("e")] };'), { output: { a: [null] } }],
  ['functions', each('return { f() {}, a: [() => 1] };'), { output: { a: [null] } }],
  [
    'numbers beyond',
    each('return { a: NaN, b: -Infinity, c: -0, d: 5e-324 };'),
    { output: { a: null, b: null, c: 0, d: 5e-324 } },
  ],
  ['half a character as key and value', each('return { "\\ud800": "\\udfff" };'), { output: { '\ud800': '\udfff' } }],
  ['keys without a letter', each('return { "": 1, "\\0": 2, "\\n": 3 };'), { output: { '': 1, '\0': 2, '\n': 3 } }],
  [
    'fields of the prototype',
    each('return Object.create({ a: 1 }, { b: { value: 2, enumerable: true }, c: { value: 3 } });'),
    { output: { b: 2 } },
  ],
  ['private fields', each('class A { #x = 1; y = 2; static z = 3; } return new A();'), { output: { y: 2 } }],
  [
    'a number without end, raw',
    each('return { a: JSON.rawJSON("1e999") };'),
    { output: { a: Number.POSITIVE_INFINITY } },
  ],
  [
    'many digits, raw',
    each('return { a: JSON.rawJSON("12345678901234567890.5e-3") };'),
    { output: { a: 12345678901234568 } },
  ],
  [
    'a raw text that escapes half a character',
    each(`return { a: JSON.rawJSON('"\\\\ud800"') };`),
    { output: { a: '\ud800' } },
  ],
  ['a raw value with a line break', each('return { a: JSON.rawJSON("1\\n") };'), { failing: 'SyntaxError' }],
  [
    'a circle through a list',
    each('const a = []; a.push({ a }); return { a };'),
    { failing: 'TypeError: Converting circular structure to JSON' },
  ],
  ['a weak collection', each('return { a: new WeakMap(), b: new WeakRef({}) };'), { output: { a: {}, b: {} } }],
  [
    'a generator that would never end',
    each('return { a: (function* () { for (;;) yield 1; })() };'),
    { output: { a: {} } },
  ],
  [
    'an async generator under way',
    eachAsync('const g = (async function* () { yield 1; })(); await g.next(); return { g };'),
    { output: { g: {} } },
  ],
];

export const writing: Family = {
  name: 'code while results are written',
  memoryMb: 48,
  attacks: [...code, ...tags, ...proxies, ...values],
};
