import { type Attack, each, eachAsync, type Family, OVERFLOW } from './attack.js';

const NEST = 'let a = {}; for (let i = 0; i < 3e5; i += 1) a = { a };';

const attacks: Attack[] = [
  ['a function', each('const f = () => f() + 1; return f();'), OVERFLOW],
  ['two functions', each('const f = () => g() + 1; const g = () => f() + 1; return f();'), OVERFLOW],
  ['a getter', each('const o = { get a() { return this.a; } }; return o.a;'), OVERFLOW],
  ['a proxy of itself', each('const p = new Proxy({}, { get: (t, k, r) => r[k] }); return p.x;'), OVERFLOW],
  [
    'a prototype that is a proxy',
    each('const p = new Proxy({}, {}); Object.setPrototypeOf(p, p); return p.x;'),
    OVERFLOW,
  ],
  ['toString', each('const o = { toString() { return String(o); } }; return String(o);'), OVERFLOW],
  ['a constructor', each('class A { constructor() { new A(); } } new A();'), OVERFLOW],
  ['a generator', each('const f = function* () { yield* f(); }; f().next();'), OVERFLOW],
  ['spread arguments', each('Math.max(...new Array(5e5).fill(1)); return event;'), { output: {} }],
  ['apply', each('String.fromCharCode.apply(null, new Array(5e5)); return event;'), { output: {} }],
  ['an async function', eachAsync('const f = async () => { await f(); }; await f();'), OVERFLOW],
  ['JSON of deep nesting', each(`${NEST} return a;`), OVERFLOW],
  ['reading deep JSON', each('JSON.parse("[".repeat(1e5) + "]".repeat(1e5)); return event;'), { output: {} }],
  ['structuredClone of deep nesting', each(`${NEST} return structuredClone(a);`), OVERFLOW],
  ['deep source', each('return { n: Function("return " + "(".repeat(5e4) + "1" + ")".repeat(5e4))() };'), OVERFLOW],
  [
    'a result too deep to travel',
    each('let a = {}; for (let i = 0; i < 1000; i += 1) a = { a }; return a;'),
    { error: 'returned event is nested deeper than 200 levels' },
  ],
  ['toJSON that nests itself', each('const o = { toJSON: () => ({ o }) }; return o;'), OVERFLOW],
];

export const recursion: Family = { name: 'deep recursion', memoryMb: 96, attacks };
