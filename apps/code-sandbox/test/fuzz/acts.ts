import fc from 'fast-check';
import { keys, type Source } from './values.js';

/** Objects of the language and of Weir that code can change. */
const TARGETS = [
  ...['globalThis', 'Object', 'Object.prototype', 'Function.prototype', 'Array', 'Array.prototype', 'String.prototype'],
  ...[
    'JSON',
    'Promise',
    'Promise.prototype',
    'Map.prototype',
    'RegExp.prototype',
    'Error',
    'Error.prototype',
    'Reflect',
  ],
  ...[
    'Symbol',
    'Date',
    'Number.prototype',
    'BigInt.prototype',
    'Uint8Array',
    'Uint8Array.prototype',
    'console',
    'crypto',
  ],
  ...[
    'URL.prototype',
    'log',
    'fetch',
    'TypeError',
    'Math',
    'Iterator.prototype',
    'Object.getPrototypeOf(async () => {})',
  ],
  ...['Object.getPrototypeOf([].values())', 'Object.getPrototypeOf("".matchAll(/a/g))', 'ArrayBuffer.prototype'],
];
/** Names that the driver or the language uses on them. */
const PARTS = [
  ...['call', 'apply', 'bind', 'then', 'catch', 'finally', 'resolve', 'reject', 'all', 'push', 'map', 'join', 'slice'],
  ...['indexOf', 'charCodeAt', 'startsWith', 'toUpperCase', 'get', 'set', 'has', 'exec', 'test', 'replace', 'parse'],
  ...['stringify', 'entries', 'create', 'defineProperty', 'setPrototypeOf', 'getPrototypeOf', 'isArray', 'from', 'now'],
  ...[
    'prepareStackTrace',
    'stackTraceLimit',
    'captureStackTrace',
    'text',
    'line',
    'column',
    'file',
    'call',
    'response',
  ],
  ...[
    'metadata',
    'secrets',
    'credentials',
    'allowFetch',
    'collectLogs',
    'logChars',
    'resultChars',
    'strays',
    'isLoose',
  ],
  ...[
    'Object',
    'Array',
    'String',
    'JSON',
    'Promise',
    'Error',
    'Map',
    'Symbol',
    'Date',
    'log',
    'fetch',
    'begin',
    'finish',
  ],
];
const partKeys = fc.oneof(
  keys,
  fc.constantFrom(...PARTS).map((name) => JSON.stringify(name)),
);

/**
 * Functions that a driver calls, or would call if it took them when it needs them, and places of lists that it would fill. By chance
 * alone, few programs would meet one.
 */
const USED: readonly (readonly [target: string, names: readonly string[]])[] = [
  ['JSON', ['parse', 'stringify']],
  ['Object', ['keys', 'entries', 'create', 'defineProperty', 'getPrototypeOf', 'setPrototypeOf']],
  ['Object.prototype', ['toString', 'hasOwnProperty', '0', '1']],
  ['Function.prototype', ['call', 'apply', 'bind']],
  ['Array', ['isArray', 'from']],
  ['Array.prototype', ['push', 'map', 'join', 'slice', 'forEach', '0', '1', '2']],
  ['String.prototype', ['slice', 'indexOf', 'charCodeAt', 'startsWith', 'toUpperCase', 'replaceAll']],
  ['Map.prototype', ['get', 'set']],
  ['Promise', ['resolve', 'all']],
  ['Promise.prototype', ['then', 'catch']],
  ['Reflect', ['apply']],
  ['RegExp.prototype', ['exec']],
  ['Date', ['now']],
  ['globalThis', ['Object', 'Array', 'String', 'Error', 'Map', 'Promise']],
];
const used = USED.flatMap(([target, names]) => names.map((name): [string, string] => [target, JSON.stringify(name)]));

/** Takes the place of a function. `free` are values of no event, so that no event's values outlive it. */
const replacementsOf = (free: Source): Source =>
  fc.oneof(
    fc.constantFrom(
      '() => {}',
      '(x) => x',
      'function () { return this; }',
      'function* () {}',
      'class {}',
      '(done) => done({})',
    ),
    free,
    free.map((value) => `() => ${value}`),
    free.map((value) => `() => { throw ${value}; }`),
    free.map((value) => `async () => ${value}`),
    free.map((value) => `new Proxy(function () {}, { apply: () => ${value} })`),
  );

/** Statements that change the language. */
export function changesWith(free: Source): Source {
  const place = fc.oneof(fc.tuple(fc.constantFrom(...TARGETS), partKeys), fc.constantFrom(...used));
  const replacement = replacementsOf(free);
  return fc.oneof(
    { arbitrary: fc.tuple(place, replacement).map(([[target, key], by]) => `${target}[${key}] = ${by};`), weight: 5 },
    {
      arbitrary: fc
        .tuple(place, free)
        .map(
          ([[target, key], value]) =>
            `Reflect.defineProperty(${target}, ${key}, { get() { return ${value}; }, set() { throw ${value}; }, configurable: true });`,
        ),
      weight: 3,
    },
    place.map(([target, key]) => `delete ${target}[${key}];`),
    fc
      .tuple(fc.constantFrom('freeze', 'seal', 'preventExtensions'), fc.constantFrom(...TARGETS))
      .map(([name, target]) => `Object.${name}(${target});`),
    fc.tuple(fc.constantFrom(...TARGETS), free).map(([target, to]) => `Object.setPrototypeOf(${target}, ${to});`),
  );
}

/** Statements within a function that runs for an event. */
export function actsWith(values: Source, changes: Source): Source {
  const { act } = fc.letrec<{ act: string }>((tie) => {
    const inner = tie('act');
    return {
      act: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        { arbitrary: fc.tuple(values, values).map(([a, b]) => `log(${a}, ${b});`), weight: 2 },
        { arbitrary: changes, weight: 3 },
        values.map((value) => `${value};`),
        values.map((value) => `throw ${value};`),
        values.map((value) => `for (const each of ${value}) log(each);`),
        fc.tuple(keys, values).map(([key, value]) => `event[${key}] = ${value};`),
        { arbitrary: inner.map((each) => `try { ${each} } catch (e) { log(e); }`), weight: 3 },
        inner.map((each) => `try { ${each} } finally { log("finally"); }`),
        inner.map((each) => `Promise.resolve().then(() => { ${each} });`),
        inner.map((each) => `for (let i = 0; i < 300; i += 1) { ${each} }`),
        inner.map(
          (each) =>
            `{ let tries = 0; const deep = () => { try { deep(); } catch { if (tries++ < 20) { ${each} } } }; deep(); }`,
        ),
      ),
    };
  });
  return act;
}

/** Statements that no limit of the language ends. Rare, because each costs its child. */
export const ENDLESS: readonly string[] = [
  'for (;;);',
  'for (;;) log("flood");',
  'const many = []; for (;;) many.push({ many: [many.length] });',
  'const wake = () => { Promise.resolve().then(wake); }; wake();',
  'const bytes = []; for (;;) bytes.push(new Uint8Array(1e6).fill(1));',
];
