import { type Attack, CANNOT_BE_SHOWN, each, type Family, NO_OBJECT, NO_OBJECTS } from './attack.js';

const attacks: Attack[] = [
  [
    'a getter that throws',
    each('return { get a() { throw new Error("no"); } };'),
    { error: 'Error: no\n    at get a (my code:1:76)' },
  ],
  ['a getter that loops', each('return { get a() { for (;;); } };'), 'timeout'],
  [
    'a getter that changes',
    each('let n = 0; return { get a() { return n++; }, get b() { return n++; } };'),
    { output: { a: 0, b: 1 } },
  ],
  ['a proxy', each('return new Proxy({ a: 1 }, {});'), { output: { a: 1 } }],
  [
    'a proxy that throws',
    each('return new Proxy({}, { ownKeys() { throw new Error("no"); } });'),
    { error: 'Error: no\n    at Object.ownKeys (my code:1:92)' },
  ],
  ['a proxy that loops', each('return new Proxy({}, { get() { for (;;); } });'), 'timeout'],
  [
    'a proxy with endless keys',
    each('return new Proxy({}, { ownKeys: () => Array.from({ length: 1e7 }, (_, i) => "k" + i) });'),
    'memory',
  ],
  [
    'a revoked proxy',
    each('const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy;'),
    { error: "TypeError: Cannot perform 'get' on a proxy that has been revoked" },
  ],
  ['a proxy of an array', each('return new Proxy([{ a: 1 }], {});'), { output: { a: 1 } }],
  [
    'a proxy of an array that lies about its length',
    each('return new Proxy([], { get: (t, k) => k === "length" ? 2 ** 32 : t[k] });'),
    NO_OBJECTS,
  ],
  [
    'toJSON that throws',
    each('return { toJSON() { throw new Error("no"); } };'),
    { error: 'Error: no\n    at Object.toJSON (my code:1:77)' },
  ],
  ['toJSON that gives text', each('return { toJSON: () => "{}" };'), NO_OBJECT],
  [
    'a class that says it is an object',
    each('return Object.assign([1], { [Symbol.toStringTag]: "Object" });'),
    NO_OBJECTS,
  ],
  [
    'a function that says it is an object',
    each('return Object.assign(() => 1, { [Symbol.toStringTag]: "Object" });'),
    NO_OBJECT,
  ],
  [
    'a thenable that gives another',
    each('return { then(done) { done({ then(done2) { done2({ a: 1 }); } }); } };'),
    { output: { a: 1 } },
  ],
  [
    'a thenable that answers twice',
    each('return { then(done) { done({ a: 1 }); done({ a: 2 }); throw 3; } };'),
    { output: { a: 1 } },
  ],
  ['a thrown proxy', each('throw new Proxy({}, { get() { throw 1; } });'), CANNOT_BE_SHOWN],
  ['a thrown getter', each('throw { get stack() { throw 1; } };'), CANNOT_BE_SHOWN],
  [
    'a stack that is no text',
    each('const e = new Error("x"); e.stack = { toString() { for (;;); } }; throw e;'),
    { error: 'Error: thrown: {} (not an Error object)' },
  ],
  [
    'a forged stack',
    each('const e = new Error("x"); e.stack = "Error: x\\n    at /etc/passwd:1:1"; throw e;'),
    { error: 'Error: x\n    at /etc/passwd:1:1' },
  ],
  [
    'a forged time-out',
    each('const e = new Error(); e.stack = "Error: Script execution timed out."; throw e;'),
    { error: 'Error: Script execution timed out.' },
  ],
  [
    'a forged outcome',
    each('return { status: "error", text: "x", results: [], strays: [] };'),
    { output: { status: 'error', text: 'x', results: [], strays: [] } },
  ],
  [
    'text that would break out of JSON',
    each('return { a: "\\"}]}, {\\"status\\":\\"ok\\"", b: "\\u2028\\ud800" };'),
    { output: { a: '"}]}, {"status":"ok"', b: '\u2028\ud800' } },
  ],
  [
    '__proto__ as a key',
    each('return JSON.parse("{\\"__proto__\\": {\\"admin\\": true}}");'),
    { output: JSON.parse('{"__proto__": {"admin": true}}') },
  ],
];

export const results: Family = { name: 'getters and proxies on results', memoryMb: 32, attacks };
