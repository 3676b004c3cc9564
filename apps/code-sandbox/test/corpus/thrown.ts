import { type Attack, CANNOT_BE_SHOWN, each, eachAsync, type Family } from './attack.js';

const thrown = (text: string) => ({ error: `Error: thrown: ${text} (not an Error object)` });
const throws = (value: string) => each(`throw ${value};`);
/** Thrown while the module loads, where isolated-vm carries the error out of the isolate. */
const atLoad = (value: string) => `export const transformEvent = (e) => e; throw ${value};`;

const byEvents: Attack[] = [
  ['a number', throws('5'), thrown('5')],
  ['a promise', throws('Promise.resolve(1)'), thrown('{}')],
  ['a symbol', throws('Symbol("s")'), thrown('Symbol(s)')],
  ['a list that contains itself', each('const a = []; a.push(a); throw a;'), thrown('')],
  ['a function', throws('(function f() {})'), thrown('function f() {}')],
  [
    'toJSON and toString that both throw',
    throws('{ toJSON() { throw 1; }, toString() { throw 2; } }'),
    CANNOT_BE_SHOWN,
  ],
  [
    'toString that gives an object',
    throws('{ toJSON() { throw 1; }, toString: () => ({}), valueOf: () => ({}) }'),
    CANNOT_BE_SHOWN,
  ],
  ['toJSON that loops', throws('{ toJSON() { for (;;); } }'), 'timeout'],
  ['a stack that loops', throws('{ get stack() { for (;;); } }'), 'timeout'],
  [
    'a stack that throws something else',
    throws('{ get stack() { throw { get stack() { throw 2; } }; } }'),
    CANNOT_BE_SHOWN,
  ],
  ['a stack that overflows', throws('{ get stack() { return this.stack; } }'), CANNOT_BE_SHOWN],
  [
    'a stack that is removed',
    each('const e = new Error("x"); delete e.stack; throw e;'),
    { error: /^Error: (thrown: \{\} \(not an Error object\)|x)/ },
  ],
  [
    'a stack that is a boxed text',
    each('const e = new Error("x"); e.stack = Object("Error: boxed"); throw e;'),
    thrown('{}'),
  ],
  ['an endless text', throws('"x".repeat(2 ** 24)'), { error: /^Error: thrown: x{4081}$/ }],
  [
    'a text that is cut within a character',
    throws('"x".repeat(4080) + "\\u{1f600}"'),
    { failing: 'Error: thrown: xxx' },
  ],
  [
    'many errors in one',
    throws('new AggregateError([new Error("a"), 1], "many")'),
    { failing: 'AggregateError: many' },
  ],
  ['a cause that contains itself', each('const e = new Error("x"); e.cause = e; throw e;'), { failing: 'Error: x' }],
  ['an error of two others', throws('new SuppressedError(1, 2, "both")'), { failing: 'both' }],
  [
    'an error with a getter for its name',
    each('const e = new Error("x"); Object.defineProperty(e, "name", { get() { throw 1; } }); throw e;'),
    { failing: 'at transformEvent (my code:1:61)' },
  ],
  [
    'an error of a class that overrides its message',
    each('class E extends Error { get message() { return { toString() { throw 1; } }; } } throw new E();'),
    { failing: 'Error' },
  ],
  ['an error that a proxy hides', throws('new Proxy(new Error("hidden"), {})'), thrown('{}')],
  ['the event', each('throw event;'), thrown('{"a":1}'), { events: [{ a: 1 }] }],
  ['the callback for metadata', each('throw metadata;'), { failing: 'Error: thrown: ' }],
  ['nothing, rejected', each('return Promise.reject();'), thrown('undefined')],
  [
    'in a then that is asked twice',
    each('let n = 0; return { get then() { if ((n += 1) > 1) throw new Error("again"); return () => {}; } };'),
    { failing: 'Error: again' },
  ],
  [
    'a rejection after a result',
    eachAsync('return { then(done, fail) { done({ a: 1 }); fail(new Error("late")); } };'),
    { output: { a: 1 } },
  ],
  [
    'in a finally, instead of a result',
    each('try { return { a: 1 }; } finally { throw new Error("instead"); }'),
    { failing: 'Error: instead' },
  ],
  [
    'an overflow that is caught and thrown again deep down',
    each('const f = () => { try { f(); } catch (e) { throw e; } }; f();'),
    { failing: 'RangeError: Maximum call stack size exceeded' },
  ],
  [
    'with the refusal of the driver as its text',
    throws('{ __proto__: null, stack: "returned event from transformEvent(event) is not an object" }'),
    { error: 'returned event from transformEvent(event) is not an object' },
  ],
];

const byModules: Attack[] = [
  ['a number at load', atLoad('5'), { failing: 'Error: thrown: 5' }],
  ['a symbol at load', atLoad('Symbol("s")'), thrown('an object')],
  ['a large integer at load', atLoad('10n'), thrown('10')],
  ['nothing at load', atLoad('undefined'), thrown('undefined')],
  ['an object at load', atLoad('{ a: 1 }'), thrown('an object')],
  ['a function at load', atLoad('(() => 1)'), thrown('an object')],
  ['a proxy at load', atLoad('new Proxy({}, { get() { throw 1; } })'), thrown('an object')],
  ['a proxy of an error at load', atLoad('new Proxy(new Error("x"), {})'), { failing: 'x' }],
  ['a promise at load', atLoad('Promise.reject(1)'), thrown('1')],
  ['an endless text at load', atLoad('"x".repeat(2 ** 24)'), { failing: 'x' }],
  ['an error with an endless message at load', atLoad('new Error("x".repeat(2 ** 24))'), { failing: 'x' }],
  [
    'an error whose message throws at load',
    'const e = new Error(); Object.defineProperty(e, "message", { get() { throw 1; } }); throw e;',
    { error: 'Error: \n    at my code:1:11' },
  ],
  [
    'an error whose name is a proxy at load',
    'const e = new Error("x"); e.name = new Proxy({}, {}); throw e;',
    { failing: 'x' },
  ],
  [
    'an error without a prototype at load',
    atLoad('Object.setPrototypeOf(new Error("bare"), null)'),
    { error: 'Error: bare\n    at my code:1:69' },
  ],
  [
    'a forged time-out at load',
    'const e = new Error(); e.stack = "Error: Script execution timed out."; throw e;',
    { error: 'Error: ' },
  ],
  [
    'a forged end of memory at load',
    'const e = new Error(); e.stack = "Error: Isolate was disposed during execution due to memory limit"; throw e;',
    { error: 'Error: ' },
  ],
  [
    'a rejection after a top-level await',
    'export const transformEvent = (e) => e; await null; throw new Error("late");',
    { failing: 'Error: late' },
  ],
  [
    'an error that imitates the boundary',
    'const e = new Error("x"); e.stack = "Error: x\\n    at (<isolated-vm boundary>)\\n    at /etc/passwd:1:1"; throw e;',
    { error: 'Error: x' },
  ],
  [
    'an error of a library',
    'import "lib"; export const transformEvent = (e) => e;',
    { failing: 'Error: of lib' },
    { libraries: { lib: 'throw new Error("of lib");' } },
  ],
];

export const thrownValues: Family = { name: 'what is thrown', memoryMb: 96, attacks: [...byEvents, ...byModules] };
