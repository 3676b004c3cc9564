import { type Attack, each, eachAsync, type Family, type Outcome } from './attack.js';

const NAMED = JSON.parse('{"toJSON":"text","then":"text"}');
const OK = { output: { a: 1 } };
const says = (body: string, ...logs: string[]): [code: string, outcome: Outcome, surroundings: { logs: string[] }] => [
  each(`${body} return { a: 1 };`),
  OK,
  { logs },
];

/** Values that log has to show. */
const lines: Attack[] = [
  ['nothing', ...says('log();', 'Log:')],
  [
    'symbols, functions and large integers',
    ...says('log(Symbol("s"), () => 1, 10n, undefined);', 'Log: Symbol(s) () => 1 10 undefined'),
  ],
  ['a circle', ...says('const a = []; a.push(a, 1); log(a);', 'Log: ,1')],
  ['toJSON that logs', ...says('log({ toJSON() { log("inner"); return "outer"; } });', 'Log: inner', 'Log: "outer"')],
  ['a line with the end of a line', ...says('log("a\\nError: forged\\r\\u2028b");', 'Log: a\nError: forged\r\u2028b')],
  ['half characters and zeros', ...says('log("\\ud800", "\\0");', 'Log: \ud800 \0')],
  [
    'text that would end the JSON',
    ...says('log("\\"],\\"failure\\":{\\"cause\\":\\"memory\\"}");', 'Log: "],"failure":{"cause":"memory"}'),
  ],
  [
    'a value that changes the language',
    ...says(
      'log({ toJSON() { JSON.stringify = () => "forged"; String = () => "forged"; return 1; } }, { b: 2 });',
      'Log: 1 {"b":2}',
    ),
  ],
  ['a replaced log', ...says('globalThis.log = () => { throw 1; }; console.log("mine");', 'Log: mine')],
  [
    'a console of its own',
    ...says('globalThis.console = { log: () => {} }; console.log("lost"); log("kept");', 'Log: kept'),
  ],
  ['console of itself', ...says('console.log(Object.keys(console).length > 10);', 'Log: true')],
  ['formats, which are not read', ...says('console.log("%s %d %o", "a", 1);', 'Log: %s %d %o a 1')],
  ['assertions', ...says('console.assert(0, { b: 1 }); console.assert(1, "no");', 'Error: Assertion failed {"b":1}')],
  ['an error', ...says('const e = new Error("x"); e.stack = "forged"; console.error(e);', 'Error: {}')],
  ['a raw value', ...says('log(JSON.rawJSON("1e999"));', 'Log: 1e999')],
  [
    'a promise of the driver',
    each('log(fetch("x"), metadata(event)); return { a: 1 };'),
    OK,
    { logs: ['Log: {} {"m":1}'], metadata: [{ m: 1 }] },
  ],
  [
    'toString that gives no text',
    each('log(Object.assign(Object.create(null), { get a() { return 1; }, toJSON() { throw 1; } })); return { a: 1 };'),
    { failing: 'TypeError: Cannot convert object to primitive value' },
  ],
  [
    'a getter for the length of the parts',
    ...says('log.apply(null, { length: 2, 0: "x", get 1() { return "y"; } });', 'Log: x y'),
  ],
  ['a call as a maker', each('new log("x");'), 'dropped'],
  [
    'lines from a promise that comes after the end',
    eachAsync('Promise.resolve().then(() => Promise.resolve()).then(() => log("late")); return { a: 1 };'),
    OK,
    { logs: ['Log: late'] },
  ],
];

/** The callback for metadata. */
const metadata: Attack[] = [
  [
    'of what is no event',
    each(
      'return { a: [metadata(), metadata(null), metadata(5), metadata("m1"), metadata(Symbol()), metadata(() => 1)] };',
    ),
    { output: { a: [{}, {}, {}, {}, {}, {}] } },
  ],
  [
    'of an event that it made',
    each('return { a: metadata({ messageId: "m2" }) };'),
    [{ output: { a: { n: 2 } } }, { output: { a: { n: 2 } } }],
    { events: [{ messageId: 'm1' }, { messageId: 'm2' }], metadata: [{ n: 1 }, { n: 2 }] },
  ],
  [
    'of a proxy',
    each('return { a: metadata(new Proxy(event, {})), b: metadata(new Proxy({}, { get: () => "m1" })) };'),
    { output: { a: { n: 1 }, b: { n: 1 } } },
    { events: [{ messageId: 'm1' }], metadata: [{ n: 1 }] },
  ],
  [
    'of an identity that throws',
    each('metadata({ get messageId() { throw new Error("id"); } });'),
    { failing: 'Error: id' },
  ],
  [
    'of an identity that all objects have',
    each('Object.prototype.messageId = "m1"; return { __proto__: null, a: metadata({}) };'),
    { output: { a: { n: 1 } } },
    { events: [{ messageId: 'm1' }], metadata: [{ n: 1 }] },
  ],
  [
    'that it changes',
    each('metadata(event).n = 5; metadata(event).inner.n = 5; return metadata(event);'),
    { output: { n: 1, inner: { n: 5 } } },
    { metadata: [{ n: 1, inner: { n: 1 } }] },
  ],
  [
    'that has a key called __proto__',
    each('return metadata(event);'),
    { output: JSON.parse('{"__proto__":{"admin":true}}') },
    { metadata: [JSON.parse('{"__proto__":{"admin":true}}')] },
  ],
  [
    'after maps were replaced',
    each(
      'Map.prototype.get = Map.prototype.set = WeakMap.prototype.get = () => ({ forged: 1 }); globalThis.Map = null; return { a: metadata({ messageId: "m1" }) };',
    ),
    { output: { a: { n: 1 } } },
    { events: [{ messageId: 'm1' }], metadata: [{ n: 1 }] },
  ],
  [
    'of an earlier event, by its callback',
    'let before; export const transformEvent = (event, metadata) => { const told = before?.(event) ?? {}; before ??= metadata; return { told }; };',
    [{ output: { told: {} } }, { output: { told: { n: 2 } } }],
    { events: [{ messageId: 'm1' }, { messageId: 'm2' }], metadata: [{ n: 1 }, { n: 2 }] },
  ],
  [
    'a callback that gets fields',
    each('metadata.call = metadata.apply = 1; Object.setPrototypeOf(metadata, null); return metadata(event);'),
    { output: { n: 1 } },
    { metadata: [{ n: 1 }] },
  ],
];

/** Fields of events. */
const events: Attack[] = [
  [
    'a key called __proto__, spread',
    each('return { ...event, polluted: {}.admin ?? "no" };'),
    { output: JSON.parse('{"__proto__":{"admin":true},"polluted":"no"}') },
    { events: [JSON.parse('{"__proto__":{"admin":true}}')] },
  ],
  [
    'a key called __proto__, assigned',
    each('const o = Object.assign({}, event); return { admin: o.admin, own: Object.keys(o) };'),
    { output: { admin: true, own: [] } },
    { events: [JSON.parse('{"__proto__":{"admin":true}}')] },
  ],
  [
    'a path that leads to the prototype',
    each(
      'const set = (o, [k, ...rest], v) => (rest.length ? set(o[k], rest, v) : (o[k] = v)); set({}, event.path, "bad"); return { a: {}.polluted };',
    ),
    { output: { a: 'bad' } },
    { events: [{ path: ['constructor', 'prototype', 'polluted'] }] },
  ],
  [
    'a path that leads to then',
    each(
      'const set = (o, [k, ...rest], v) => (rest.length ? set(o[k], rest, v) : (o[k] = v)); set({}, event.path, (done) => done({ __proto__: null, forged: 1 })); return { b: 1 };',
    ),
    { output: { forged: 1 } },
    { events: [{ path: ['__proto__', 'then'] }] },
  ],
  ['toJSON as a field', each('return event;'), { output: NAMED }, { events: [NAMED] }],
  [
    'text that looks like the end of an event',
    each('return event;'),
    { output: { a: '"},"metadata":{}},{"message":{"b":"' } },
    { events: [{ a: '"},"metadata":{}},{"message":{"b":"' }] },
  ],
  [
    'letters of every length, before another event',
    each('return { n: event.a.length };'),
    [{ output: { n: 7 } }, { output: { n: 1 } }],
    { events: [{ a: 'aé€😀\u2028\u0000' }, { a: 'b' }] },
  ],
  [
    'an event that is frozen for those that follow',
    'export const transformEvent = (event) => { Object.freeze(Object.prototype); Object.freeze(Array.prototype); return event; };',
    [{ output: { n: 1 } }, { output: { n: 2 } }],
    { events: [{ n: 1 }, { n: 2 }] },
  ],
  [
    'setters in the place of its fields',
    each(
      'Object.defineProperty(Object.prototype, "n", { set() { throw 1; }, get: () => "forged", configurable: true }); return event;',
    ),
    [{ output: { n: 1 } }, { output: { n: 2 } }],
    { events: [{ n: 1 }, { n: 2 }] },
  ],
];

export const speech: Family = {
  name: 'logs, metadata and events',
  memoryMb: 32,
  attacks: [...lines, ...metadata, ...events],
};
