import { type Attack, after, type Family } from './attack.js';

const INTACT = { output: { a: 1 } };
const attacks: Attack[] = [
  ['Object.prototype gets a property', after('Object.prototype.polluted = 1'), INTACT],
  [
    'Object.prototype gets a setter for status',
    after('Object.defineProperty(Object.prototype, "status", { set() { throw 1; } })'),
    INTACT,
  ],
  ['Object.prototype gets outputs', after('Object.prototype.outputs = ["{\\"forged\\":1}"]'), INTACT],
  ['Object.prototype gets error', after('Object.prototype.error = "forged"'), INTACT],
  [
    'Object.prototype gets setters for all that the driver may set',
    after(
      'for (const k of ["text", "status", "outputs", "results", "length", "entries", "0", "1", "current", "told", "groups"]) Object.defineProperty(Object.prototype, k, { set() { throw 1; }, configurable: true })',
    ),
    INTACT,
  ],
  [
    'Array.prototype gets setters for indexes',
    after('Object.defineProperty(Array.prototype, "0", { set() { throw 1; }, get: () => "forged" })'),
    INTACT,
  ],
  ['Object.prototype gets toJSON', after('Object.prototype.toJSON = () => ({ forged: 1 })'), { output: { forged: 1 } }],
  [
    'Object.prototype gets then',
    after('Object.prototype.then = function (done) { done({ __proto__: null, forged: 1 }); }'),
    { output: { forged: 1 } },
  ],
  ['__proto__ through a path', after('const o = {}; o["__proto__"]["polluted"] = 1'), INTACT],
  ['constructor.prototype', after('({}).constructor.prototype.polluted = 1'), INTACT],
  ['Array.prototype.push', after('Array.prototype.push = function () { return 0; }'), INTACT],
  ['Array.prototype.map', after('Array.prototype.map = () => [{ __proto__: null, forged: 1 }]'), INTACT],
  ['Array.prototype.join', after('Array.prototype.join = () => "forged"'), INTACT],
  ['Array.prototype[Symbol.iterator]', after('Array.prototype[Symbol.iterator] = function* () {}'), INTACT],
  ['Array.isArray', after('Array.isArray = () => true'), INTACT],
  ['JSON.stringify', after('JSON.stringify = () => "[]"'), INTACT],
  ['JSON.parse', after('JSON.parse = () => [{ message: {}, metadata: {} }]'), INTACT],
  ['JSON', after('globalThis.JSON = null'), INTACT],
  ['Promise', after('globalThis.Promise = class {}'), INTACT],
  ['Promise.prototype.then', after('Promise.prototype.then = () => { throw 1; }'), INTACT],
  ['Map and WeakMap', after('globalThis.Map = globalThis.WeakMap = null'), INTACT],
  ['Map.prototype.get', after('Map.prototype.get = () => { throw 1; }'), INTACT],
  ['String.prototype.slice', after('String.prototype.slice = () => { throw 1; }'), INTACT],
  ['Object.prototype.toString', after('Object.prototype.toString = () => "[object Array]"'), INTACT],
  [
    'Function.prototype.call',
    after('Function.prototype.call = Function.prototype.apply = () => "[object Object]"'),
    INTACT,
  ],
  [
    'Error.prepareStackTrace',
    `Error.prepareStackTrace = (e, sites) => JSON.stringify(sites.map((s) => [typeof s.getThis(), typeof s.getFunction(), s.getFileName()]));
    export const transformEvent = () => { throw new Error("x"); };`,
    {
      error: `[["undefined","undefined","my code"]${',["undefined","undefined","weir:driver"]'.repeat(4)},["undefined","undefined","weir:entry"]]`,
    },
  ],
  ['Error.stackTraceLimit', after('Error.stackTraceLimit = Infinity'), INTACT],
  [
    'everything is frozen',
    after(
      '[Object, Array, Function, Promise, JSON, Map].forEach((x) => { Object.freeze(x); if (x.prototype) Object.freeze(x.prototype); })',
    ),
    INTACT,
  ],
  [
    'everything is deleted',
    after(
      'const scope = globalThis; const { deleteProperty } = Reflect; for (const k of Object.getOwnPropertyNames(scope)) deleteProperty(scope, k)',
    ),
    INTACT,
  ],
];

export const pollution: Family = { name: 'prototype pollution', memoryMb: 32, attacks };
