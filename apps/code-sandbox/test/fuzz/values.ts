import fc from 'fast-check';

/** The text of an expression or a statement of JavaScript. */
export type Source = fc.Arbitrary<string>;

/** Names that the driver, the language or a reader of results may look at. */
const NAMES = [
  ...['a', 'then', 'toJSON', 'toString', 'valueOf', 'stack', 'message', 'name', 'cause', 'messageId', 'constructor'],
  ...['status', 'outputs', 'results', 'error', 'frame', 'length', '0', '1', '__proto__', 'url', 'method', 'headers'],
  ...['body', 'key', 'value', 'next', 'done', 'return', 'raw', 'source', 'flags', 'lastIndex', 'index', 'groups'],
];
const SYMBOLS = [
  ...['toStringTag', 'iterator', 'asyncIterator', 'toPrimitive', 'species', 'hasInstance', 'isConcatSpreadable'],
  ...['unscopables', 'match', 'replace', 'split'],
];
export const keys: Source = fc.oneof(
  fc.constantFrom(...NAMES).map((name) => JSON.stringify(name)),
  fc.constantFrom(...SYMBOLS).map((name) => `Symbol.${name}`),
);

/** Values that belong to no event. */
const PLAIN = [
  ...['undefined', 'null', 'true', '0', '-0', 'NaN', '1.5', '10n', '""', '"text"', '"\\ud800"', '"\\0\\u2028\\n"'],
  ...['"__proto__"', '"https://example.com/"', '"x".repeat(5e3)', '"x".repeat(1e6)', 'Symbol("s")', 'Symbol.iterator'],
  ...[
    '{}',
    '[]',
    'Object.create(null)',
    '() => 1',
    'async () => 1',
    'function* () {}',
    'class {}',
    '/a/g',
    'new Date(0)',
  ],
  ...[
    'new Date(NaN)',
    'new Error("e")',
    'new AggregateError([1])',
    'new Map([[1, 2]])',
    'new Set([1])',
    'new WeakMap()',
  ],
  ...[
    'new WeakRef({})',
    'new Uint8Array(4)',
    'new ArrayBuffer(8)',
    'new DataView(new ArrayBuffer(8))',
    'new Proxy({}, {})',
  ],
  ...[
    'Promise.resolve(1)',
    'Promise.reject(1)',
    'new Promise(() => {})',
    'getCredential("token")',
    'crypto',
    'console',
  ],
  ...['Object("boxed")', 'Object(1n)', 'new Array(3)', 'JSON.rawJSON("1e5")', 'Iterator.from([1])', 'import("lib")'],
  ...['new URL("https://example.com/?a=b")', 'new URLSearchParams("a=b")', 'new Intl.NumberFormat("en")', 'arguments'],
];
/** Functions that Weir gives to user code. */
const GIVEN = [
  ...['log', 'console.log', 'console.assert', 'getCredential', 'structuredClone', 'fetch', 'fetchV2', 'sha256', 'btoa'],
  ...[
    'atob',
    'geolocation',
    'new URL',
    'new URLSearchParams',
    'new TextDecoder',
    'new TextEncoder().encode',
    'new TextDecoder().decode',
  ],
  ...['crypto.getRandomValues', 'crypto.subtle.digest', 'new ArrayBuffer'],
];
const OF_LANGUAGE = [
  ...[
    'String',
    'Object',
    'Array.from',
    'JSON.stringify',
    'JSON.parse',
    'Promise.resolve',
    'Object.freeze',
    'Object.keys',
  ],
  ...[
    'Reflect.ownKeys',
    'Error.captureStackTrace',
    'Object.entries',
    'structuredClone',
    'Promise.all',
    'Array.fromAsync',
  ],
];
const TRAPS = ['get', 'has', 'ownKeys', 'getOwnPropertyDescriptor', 'getPrototypeOf', 'apply', 'construct', 'set'];
/** Makes code from text by way of a value, and looks for the process. */
const REACHING =
  '?.constructor?.constructor?.("return typeof process === `object` ? process.env : globalThis.process")?.()';

/** Expressions of any depth. `leaves` are the variables in reach. */
export function valuesWith(leaves: readonly string[]): Source {
  const leaf = fc.constantFrom(...PLAIN, ...leaves).map((text) => `(${text})`);
  const { value } = fc.letrec<{ value: string }>((tie) => {
    const v = tie('value');
    const two = fc.tuple(v, v);
    const keyed = fc.tuple(keys, v, v);
    return {
      value: fc.oneof(
        { maxDepth: 4, depthSize: 'small' },
        { arbitrary: leaf, weight: 5 },
        { arbitrary: keyed.map(([key, a, b]) => `({ [${key}]: ${a}, b: ${b} })`), weight: 3 },
        two.map(([a, b]) => `[${a}, ${b}]`),
        keyed.map(([key, a]) => `({ get [${key}]() { return ${a}; } })`),
        keyed.map(([key, a, b]) => `((n) => ({ get [${key}]() { return n++ ? ${a} : ${b}; } }))(0)`),
        keyed.map(([key, a]) => `({ a: 1, get [${key}]() { throw ${a}; } })`),
        two.map(([a, b]) => `({ then(done, fail) { done(${a}); fail(${b}); } })`),
        v.map((a) => `({ then(done) { Promise.resolve().then(() => done(${a})); } })`),
        fc
          .tuple(v, v, fc.constantFrom(...TRAPS))
          .map(([a, b, trap]) => `new Proxy(Object(${a}), { ${trap}() { return ${b}; } })`),
        two.map(([a, b]) => `Object.setPrototypeOf(Object(${a}), Object(${b}))`),
        two.map(([a, b]) => `Object.assign(Object(${a}), ${b})`),
        v.map((a) => `Object.defineProperty(Object(${a}), Symbol.toStringTag, { value: "Object" })`),
        v.map((a) => `Object.assign(new Error("e"), { stack: ${a} })`),
        v.map((a) => `(async () => { await null; return ${a}; })()`),
        v.map((a) => `(async () => { throw ${a}; })()`),
        v.map((a) => `(function* () { yield ${a}; })()`),
        v.map((a) => `(async function* () { yield ${a}; })()`),
        v.map((a) => `Object.freeze(${a})`),
        v.map((a) => `(${a})${REACHING}`),
        fc.tuple(fc.constantFrom(...GIVEN, ...OF_LANGUAGE), v, v).map(([call, a, b]) => `${call}(${a}, ${b})`),
      ),
    };
  });
  return value;
}
