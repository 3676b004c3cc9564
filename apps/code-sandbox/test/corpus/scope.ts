import { type Attack, attempt, each, type Family, failed, GOT_NOTHING, NO_OBJECT } from './attack.js';

const scope: Attack[] = [
  [
    'with, in loose code',
    attempt(
      'return Function("scope", "with (scope) { return typeof process }")(new Proxy({}, { has: () => false })) === "undefined" ? undefined : 1;',
    ),
    GOT_NOTHING,
  ],
  [
    'with a proxy that has everything',
    attempt(
      'let asked = []; Function("scope", "with (scope) { driver; settings; inputs; runs }")(new Proxy({}, { has: (t, k) => { asked.push(k); return true; }, get: (t, k) => (k === Symbol.unscopables ? undefined : undefined) })); return undefined;',
    ),
    GOT_NOTHING,
  ],
  [
    'names of the driver in eval',
    attempt(
      'return (0, eval)("typeof inputs + typeof settings + typeof runs + typeof loaded") === "undefined".repeat(4) ? undefined : 1;',
    ),
    GOT_NOTHING,
  ],
  [
    'eval that sees what encloses it',
    attempt('return eval("typeof begin + typeof inputs") === "undefinedundefined" ? undefined : 1;'),
    GOT_NOTHING,
  ],
  [
    'a declaration of a global by eval',
    each('(0, eval)("var undefined2 = 1; function parse() { throw 1; }"); return { a: 1 };'),
    { output: { a: 1 } },
  ],
  [
    'undefined, redefined',
    each('Object.defineProperty(globalThis, "undefined", { value: 1 });'),
    { failing: 'TypeError: Cannot redefine property: undefined' },
  ],
  [
    'the global object gets another prototype',
    each(
      'Object.setPrototypeOf(globalThis, new Proxy({}, { get() { throw new Error("asked"); }, has: () => true })); return { a: typeof nothing };',
    ),
    { failing: 'Error: asked' },
  ],
  ['the global object, frozen', each('Object.freeze(globalThis); return { a: 1 };'), { output: { a: 1 } }],
  [
    'getters for all global names',
    each(
      'const { getOwnPropertyDescriptor: described, defineProperty: define } = Object; const scope = globalThis; for (const k of Object.getOwnPropertyNames(scope)) if (described(scope, k).configurable) define(scope, k, { get() { throw 1; } }); return { a: 1 };',
    ),
    { output: { a: 1 } },
  ],
  [
    'the global object, cloned',
    each('return structuredClone(globalThis);'),
    { failing: 'TypeError: Converting circular structure to JSON' },
  ],
  [
    'shadow realms',
    attempt('return new ShadowRealm().evaluate("1");'),
    failed('ReferenceError: ShadowRealm is not defined'),
  ],
  ['compartments', attempt('return Compartment;'), failed('ReferenceError: Compartment is not defined')],
  [
    'a window, a worker scope, a document',
    attempt('return globalThis.window ?? globalThis.self ?? globalThis.document ?? globalThis.postMessage;'),
    GOT_NOTHING,
  ],
  [
    'garbage collection',
    attempt('return globalThis.gc ?? globalThis.d8 ?? globalThis.print ?? globalThis.load ?? globalThis.quit;'),
    GOT_NOTHING,
  ],
  [
    'profilers and versions',
    attempt(
      'return globalThis.performance ?? globalThis.version ?? console.profile ?? console.memory ?? console.context;',
    ),
    GOT_NOTHING,
  ],
  [
    'timers by another name',
    attempt(
      'return globalThis.queueMicrotask ?? globalThis.setImmediate ?? globalThis.scheduler ?? globalThis.requestIdleCallback;',
    ),
    GOT_NOTHING,
  ],
  [
    'symbols that Node shares',
    attempt(
      'return Symbol.keyFor(Reflect.ownKeys(globalThis).filter((k) => typeof k === "symbol" && k !== Symbol.toStringTag)[0] ?? Symbol());',
    ),
    GOT_NOTHING,
  ],
];

const settings: Attack[] = [
  [
    'time in fractions of a millisecond',
    each(
      'let t; for (let i = 0; i < 1e4; i += 1) if (!Number.isInteger((t = Date.now()))) break; return { whole: Number.isInteger(t) };',
    ),
    { output: { whole: true } },
  ],
  [
    'the zone of the machine',
    each('return { zone: typeof Intl.DateTimeFormat().resolvedOptions().timeZone };'),
    { output: { zone: 'string' } },
  ],
  [
    'a locale without end',
    each('return { a: new Intl.Locale("en-" + "x-".repeat(1e5) + "a") };'),
    { output: { a: {} } },
  ],
  [
    'a zone that is a path',
    each('return { a: new Intl.DateTimeFormat("en", { timeZone: "../../../etc/passwd" }) };'),
    { failing: 'RangeError: Invalid time zone specified' },
  ],
  [
    'a number with a hundred digits',
    each('return { a: new Intl.NumberFormat("en", { minimumFractionDigits: 101 }) };'),
    { failing: 'RangeError: ' },
  ],
  ['a date beyond all', each('return { a: new Date(8.64e15 + 1) };'), { output: { a: null } }],
  [
    'a date that throws when it is told',
    each('return { a: new Date(NaN).toISOString() };'),
    { failing: 'RangeError: Invalid time value' },
  ],
  [
    'a collator that compares for ever',
    each('const c = new Intl.Collator("de"); const a = "ä".repeat(1e4); for (;;) c.compare(a, a + "b");'),
    'timeout',
  ],
  [
    'a segmenter of a long text',
    each(
      'let n = 0; for (const _ of new Intl.Segmenter("en", { granularity: "word" }).segment("a b ".repeat(1e7))) n += 1; return { n };',
    ),
    'timeout',
  ],
  [
    'a list of formats',
    each('const a = []; for (;;) a.push(new Intl.DateTimeFormat("en", { dateStyle: "full" }));'),
    'memory',
  ],
  [
    'options that are asked',
    each(
      'const seen = []; new Intl.NumberFormat("en", new Proxy({}, { get: (t, k) => void seen.push(k) })); return { asked: seen.length > 5 };',
    ),
    { output: { asked: true } },
  ],
  [
    'the event as a locale',
    each('return { a: new Intl.Collator(event) };'),
    { failing: 'RangeError: Incorrect locale information provided' },
    { events: [{ length: 1e3, 0: 'no_locale' }] },
  ],
  ['a global symbol as an event', each('return Symbol.for("weir");'), NO_OBJECT],
];

export const scopes: Family = { name: 'scope and settings', memoryMb: 48, attacks: [...scope, ...settings] };
