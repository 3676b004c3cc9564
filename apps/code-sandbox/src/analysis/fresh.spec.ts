import { describe, expect, it } from '@jest/globals';
import { runtimeOf } from './runtime-of.js';
import { describeProblem } from './verdict.js';

const RUN = 'export const transformEvent = (e) => {';
const STATE = 'keeps state';
const PASSED = 'passes on what outlives the run';
const UNKNOWN = 'uses what cannot be followed';
const AT_LOAD = 'depends on when it is loaded';
const POSITION = 'uses a regular expression that keeps its position';

/** Each with what the author is told. The first line is 1. */
const FAMILIES: Record<string, [told: string, code: string][]> = {
  'bindings of the module': [
    [`${STATE}: line 2, \`n\``, `let n = 0;\n${RUN} n += 1; e.n = n; return e; };`],
    [`${STATE}: line 2, \`n\``, `let n = 0;\n${RUN} e.n = n++; return e; };`],
    [`${STATE}: line 2, \`last\``, `var last;\n${RUN} last = e; return e; };`],
    [`${STATE}: line 2, \`last\``, `let last;\n${RUN} last ??= e.id; return e; };`],
    [`${STATE}: line 2, \`last\``, `let last;\n${RUN} ({ id: last } = e); return e; };`],
    [`${STATE}: line 2, \`last\``, `let last;\n${RUN} [last] = [e.id]; return e; };`],
    [`${STATE}: line 2, \`rest\``, `let rest;\n${RUN} [, ...rest] = e.list; return e; };`],
    [`${STATE}: line 2, \`last\``, `let last;\n${RUN} ({ id: last = 1 } = e); return e; };`],
    [`${STATE}: line 2, \`last\``, `let last;\n${RUN} for (last of e.list); return e; };`],
    [`${STATE}: line 2, \`last\``, `let last;\n${RUN} for (last in e); return e; };`],
    [`${STATE}: line 2, \`n\``, `let n = 0;\n${RUN} const f = () => { n = e.id; }; f(); return e; };`],
    [
      `${STATE}: line 2, \`n\``,
      `let n = 0;\nexport function transformEvent(e, _m, f = () => { n++; }) { var n; f(); return e; }`,
    ],
    [`${STATE}: line 2, \`n\``, `let n = 0;\nexport function transformEvent(e, m = (n = e.id)) { return e; }`],
    [`${STATE}: line 1, \`n\``, `{ let n = 0; var f = () => n++; }\n${RUN} e.n = f(); return e; };`],
    [
      `${STATE}: line 1, \`i\``,
      `const next = []; for (let i = 0; i < 1; i++) next.push(() => i++);\n${RUN} e.n = next[0](); return e; };`,
    ],
    [
      `${STATE}: line 2, \`run\``,
      `let run = (e) => {\n run = () => null; return e; };\nexport const transformEvent = (e) => run(e);`,
    ],
    [`${STATE}: line 2, \`f\``, `function f() { return 1; }\n${RUN} f = () => 2; e.n = f(); return e; };`],
    [`${STATE}: line 2, \`undeclared\``, `\n${RUN} undeclared = 1; return e; };`],
    [`${STATE}: line 2, \`n\``, `let n = 0;\n${RUN} label: { n = 1; break label; } return e; };`],
    [
      `${STATE}: line 2, \`n\``,
      `let n = 0;\nexport async function transformEvent(e) { await null; n += 1; return e; }`,
    ],
    [`${STATE}: line 2, \`n\``, `let n = 0;\n${RUN} Promise.resolve().then(() => { n += 1; }); return e; };`],
    [`${STATE}: line 1, \`n\``, `let n = 0; const T = { toString: 1, get: () => n++ };\n${RUN} T.get(); return e; };`],
    [
      `${STATE}: line 1, \`n\``,
      `let n = 0; function* ids() { for (;;) yield n++; }\n${RUN} e.n = ids().next().value; return e; };`,
    ],
  ],
  'collections of the module': [
    [`${STATE}: line 2, \`seen\``, `const seen = {};\n${RUN} seen[e.id] = true; return e; };`],
    [`${STATE}: line 2, \`seen\``, `const seen = { n: 0 };\n${RUN} seen.n++; return e; };`],
    [`${STATE}: line 2, \`seen\``, `const seen = { n: 0 };\n${RUN} delete seen.n; return e; };`],
    [`${STATE}: line 2, \`seen\``, `const seen = { n: 0 };\n${RUN} delete seen?.n; return e; };`],
    [`${STATE}: line 2, \`seen\``, `const seen = { n: 0 };\n${RUN} seen.n ||= e.id; return e; };`],
    [`${STATE}: line 2, \`seen\``, `const seen = { n: 0 };\n${RUN} [seen.n] = [1]; return e; };`],
    [`${STATE}: line 2, \`seen\``, `const seen = { n: 0 };\n${RUN} ({ id: seen.n } = e); return e; };`],
    [`${STATE}: line 2, \`seen\``, `const seen = { n: 0 };\n${RUN} for (seen.n of e.list); return e; };`],
    [
      `${STATE}: line 2, \`seen\``,
      `const seen = new Set();\n${RUN} if (seen.has(e.id)) return; seen.add(e.id); return e; };`,
    ],
    [`${STATE}: line 2, \`cache\``, `const cache = new Map();\n${RUN} cache.set(e.id, 1); return e; };`],
    [`${STATE}: line 2, \`cache\``, `const cache = new Map([["a", 1]]);\n${RUN} cache.delete("a"); return e; };`],
    [`${UNKNOWN}: line 2, \`cache\``, `const cache = new WeakMap();\n${RUN} cache.set(e, 1); return e; };`],
    [`${STATE}: line 2, \`list\``, `const list = [];\n${RUN} list.push(e.id); return e; };`],
    [`${STATE}: line 2, \`list\``, `const list = [2, 1];\n${RUN} list.sort(); return e; };`],
    [`${STATE}: line 2, \`list\``, `const list = [2, 1];\n${RUN} e.n = list.pop(); return e; };`],
    [`${STATE}: line 2, \`list\``, `const list = [2, 1];\n${RUN} list.length = 0; return e; };`],
    [`${STATE}: line 2, \`list\``, `const list = [2, 1];\n${RUN} list["push"](e.id); return e; };`],
    [`${STATE}: line 2, \`list\``, `const list = [2, 1];\n${RUN} list[e.method](e.id); return e; };`],
    [`${STATE}: line 2, \`seen\``, `const seen = {};\n${RUN} Object.assign(seen, e); return e; };`],
    [
      `${UNKNOWN}: line 2, \`Object.defineProperty\``,
      `const seen = {};\n${RUN} Object.defineProperty(seen, "n", { value: 1 }); return e; };`,
    ],
    [`${UNKNOWN}: line 2, \`Reflect.set\``, `const seen = {};\n${RUN} Reflect.set(seen, "n", 1); return e; };`],
    [`${UNKNOWN}: line 2, \`Object.freeze\``, `const seen = {};\n${RUN} Object.freeze(seen); return e; };`],
  ],
  'other names for them': [
    [`${STATE}: line 2, \`s\``, `const seen = {};\n${RUN} const s = seen; s.n = 1; return e; };`],
    [`${STATE}: line 2, \`s\``, `const seen = {};\n${RUN} let s; s = seen; s.n = 1; return e; };`],
    [`${STATE}: line 2, \`s\``, `const seen = {};\n${RUN} const s = e.x ? seen : {}; s.n = 1; return e; };`],
    [`${STATE}: line 2, \`s\``, `const seen = {};\n${RUN} const s = e.x || seen; s.n = 1; return e; };`],
    [
      `${STATE}: line 2, \`inner\``,
      `const seen = { inner: {} };\n${RUN} const { inner } = seen; inner.n = 1; return e; };`,
    ],
    [
      `${STATE}: line 2, \`inner\``,
      `const seen = { inner: {} };\n${RUN} const { inner = {} } = seen; inner.n = 1; return e; };`,
    ],
    [
      `${STATE}: line 2, \`row\``,
      `const rows = { a: { n: 1 } };\n${RUN} const row = rows[e.type]; row.n = 1; return e; };`,
    ],
    [`${STATE}: line 2, \`rows\``, `const rows = { a: { n: 1 } };\n${RUN} rows[e.type].n++; return e; };`],
    [`${STATE}: line 2, \`row\``, `const rows = [{ n: 1 }];\n${RUN} for (const row of rows) row.n = 2; return e; };`],
    [
      `${STATE}: line 2, \`row\``,
      `const rows = [{ n: 1 }];\n${RUN} rows.forEach((row) => { row.n = 2; }); return e; };`,
    ],
    [
      `${STATE}: line 2, \`all\``,
      `const rows = [{ n: 1 }];\n${RUN} rows.forEach((row, index, all) => { all[index] = 2; }); return e; };`,
    ],
    [`${STATE}: line 2, \`row\``, `const rows = [{ n: 1 }];\n${RUN} const [row] = rows; row.n = 2; return e; };`],
    [
      `${STATE}: line 2, \`row\``,
      `const rows = [{ n: 1 }];\n${RUN} const row = rows.find((r) => r.n); row.n = 2; return e; };`,
    ],
    [
      `${STATE}: line 2, \`row\``,
      `const rows = [{ n: 1 }];\n${RUN} const [row] = rows.filter((r) => r.n); row.n = 2; return e; };`,
    ],
    [
      `${STATE}: line 2, \`row\``,
      `const rows = [{ n: 1 }];\n${RUN} const [row] = rows.slice(0, 1); row.n = 2; return e; };`,
    ],
    [`${STATE}: line 2, \`rows\``, `const rows = [{ n: 1 }];\n${RUN} rows.at(0).n = 1; return e; };`],
    [
      `${STATE}: line 2, \`m\``,
      `const rows = new Map([["a", { n: 1 }]]);\n${RUN} const m = rows.get("a"); m.n = 2; return e; };`,
    ],
    [
      `${STATE}: line 2, \`v\``,
      `const rows = new Map([["a", { n: 1 }]]);\n${RUN} for (const [, v] of rows) v.n = 2; return e; };`,
    ],
    [
      `${STATE}: line 2, \`v\``,
      `const rows = { a: { n: 1 } };\n${RUN} for (const v of Object.values(rows)) v.n = 2; return e; };`,
    ],
    [
      `${STATE}: line 2, \`t\``,
      `const seen = { n: 0 };\nfunction count(t) { t.n += 1; } ${RUN} count(seen); return e; };`,
    ],
    [
      `${STATE}: line 2, \`t\``,
      `const seen = { n: 0 };\nfunction count(t = seen) { t.n += 1; } ${RUN} count(); return e; };`,
    ],
    [
      `${STATE}: line 2, \`t\``,
      `const seen = { n: 0 };\nconst count = ({ t }) => { t.n += 1; }; const box = { t: seen }; ${RUN} count(box); return e; };`,
    ],
    [`${STATE}: line 2, \`get\``, `const seen = { n: 0 };\nconst get = () => seen; ${RUN} get().n = 1; return e; };`],
    [
      `${STATE}: line 2, \`t\``,
      `const seen = { n: 0 };\nconst get = () => seen; ${RUN} const t = get(); t.n = 1; return e; };`,
    ],
    [
      `${STATE}: line 2, \`g\``,
      `const seen = { n: 0 };\nconst id = (x) => x; ${RUN} const g = id(seen); g.n = 1; return e; };`,
    ],
    [`${STATE}: line 2, \`a\``, `const a = [];\na.push({}); ${RUN} a[0].n = 1; return e; };`],
    [`${STATE}: line 2, \`b\``, `const a = []; const b = a;\nb.push({}); ${RUN} a[0].n = 1; return e; };`],
    [`${STATE}: line 2, \`box\``, `const a = []; const box = { a };\nbox.a.push({}); ${RUN} a[0].n = 1; return e; };`],
  ],
  'what is passed on': [
    [`${PASSED}: line 2, \`BASE\``, `const BASE = { n: 1 };\n${RUN} return BASE; };`],
    [`${PASSED}: line 2, \`BASE\``, `const BASE = { n: 1 };\nexport const transformEvent = (e) => BASE;`],
    [`${PASSED}: line 2, \`BASE\``, `const BASE = { n: 1 };\n${RUN} return { base: BASE }; };`],
    [`${PASSED}: line 2, \`BASE\``, `const BASE = { n: 1 };\n${RUN} e.base = BASE; return e; };`],
    [
      `${PASSED}: line 2, \`ROWS\``,
      `const ROWS = { a: { n: 1 } };\n${RUN} e.row = ROWS[e.type]; e.row.n += 1; return e; };`,
    ],
    [`${PASSED}: line 2, \`ROWS\``, `const ROWS = { a: { n: 1 } };\n${RUN} return { ...ROWS }; };`],
    [`${PASSED}: line 2, \`ROWS\``, `const ROWS = { a: { n: 1 } };\n${RUN} return Object.assign({}, ROWS); };`],
    [`${PASSED}: line 2, \`ROWS\``, `const ROWS = [{ n: 1 }];\n${RUN} e.rows = [...ROWS]; return e; };`],
    [`${PASSED}: line 2, \`ROWS\``, `const ROWS = [{ n: 1 }];\n${RUN} e.list.push(...ROWS); return e; };`],
    [`${PASSED}: line 2, \`ROWS\``, `const ROWS = [{ n: 1 }];\n${RUN} e.list.push(ROWS); return e; };`],
    [
      `${PASSED}: line 2, \`ROWS\``,
      `const ROWS = [{ n: 1 }];\n${RUN} const m = new Map(); m.set("a", ROWS); m.get("a").n = 1; return e; };`,
    ],
    [`${PASSED}: line 2, \`ROWS\``, `const ROWS = [{ n: 1 }];\n${RUN} const m = new Set(ROWS); return e; };`],
    [`${PASSED}: line 2, \`ROWS\``, `const ROWS = [{ n: 1 }];\n${RUN} throw ROWS; };`],
    [
      `${PASSED}: line 2, \`ROWS\``,
      `const ROWS = [{ n: 1 }];\nfunction* g() { yield ROWS; } ${RUN} g().next().value.n = 1; return e; };`,
    ],
    [
      `${PASSED}: line 2, \`ROWS\``,
      `const ROWS = [{ n: 1 }];\nasync function g() { return ROWS; } ${RUN} g().then((r) => { r.n = 1; }); return e; };`,
    ],
    [`${PASSED}: line 2, \`ROWS\``, `const ROWS = [{ n: 1 }];\n${RUN} e.map((x) => ROWS)[0].n = 1; return e; };`],
    [`${PASSED}: line 2, \`ROWS\``, `const ROWS = [{ n: 1 }];\n${RUN} ROWS.map((x) => x)[0].n = 1; return e; };`],
    [
      `${PASSED}: line 2, \`all\``,
      `const ROWS = [{ n: 1 }];\n${RUN} const f = (...all) => { all[0].n = 1; }; f(ROWS); return e; };`,
    ],
    [`${PASSED}: line 2, \`ROWS\``, `const ROWS = [{ n: 1 }];\n${RUN} e.f(ROWS); return e; };`],
    [
      `${PASSED}: line 2, \`ROWS\``,
      `const ROWS = [{ n: 1 }];\nexport const transformEvent = (e, metadata) => { metadata(ROWS); return e; };`,
    ],
    [`${PASSED}: line 2, \`x\``, `const ROWS = [{ n: 1 }];\n${RUN} return wrap(ROWS); }; const wrap = (x) => [x];`],
    [`${PASSED}: line 2, \`helper\``, `const helper = (x) => x;\n${RUN} e.list.push(helper); return e; };`],
    [`${PASSED}: line 2, \`helper\``, `const helper = (x) => x;\n${RUN} e.f = helper; e.f.count = 1; return e; };`],
    [`${PASSED}: line 2, \`A\``, `const A = /a/;\n${RUN} return { A }; };`],
  ],
  functions: [
    [`${STATE}: line 2, \`f\``, `const f = (e) => e;\n${RUN} f.count = (f.count ?? 0) + 1; return e; };`],
    [
      `${STATE}: line 2, \`transformEvent\``,
      `\nexport function transformEvent(e) { transformEvent.last = e; return e; }`,
    ],
    [`${STATE}: line 2, \`g\``, `const f = (e) => e;\n${RUN} const g = f; g.count = 1; return e; };`],
    [`${STATE}: line 2, \`f\``, `const f = (e) => e;\nf.version = 1; ${RUN} return e; };`],
    [`${STATE}: line 2, \`x\``, `const f = (e) => e;\nconst bag = (x) => { x.n = 1; }; ${RUN} bag(f); return e; };`],
    [
      `${UNKNOWN}: line 2, \`counter\``,
      `const make = () => { let n = 0; return () => ++n; };\nconst counter = [make()][0]; ${RUN} e.n = counter(); return e; };`,
    ],
    [
      `${UNKNOWN}: line 2, \`counter\``,
      `const make = () => { let n = 0; return () => ++n; }; const counter = make();\n${RUN} e.n = counter(); return e; };`,
    ],
    [
      `${UNKNOWN}: line 2, \`api\``,
      `const api = (() => { let n = 0; return { next: () => ++n }; })();\n${RUN} e.n = api.next(); return e; };`,
    ],
    [
      `${UNKNOWN}: line 2, \`transformEvent\``,
      `const wrap = (f) => { let n = 0; return (e) => ({ n: ++n, ...f(e) }); };\nexport const transformEvent = wrap((e) => e);`,
    ],
    [
      `${UNKNOWN}: line 2, \`ids\``,
      `const ids = (function* () { for (let i = 0; ; i++) yield i; })();\n${RUN} e.n = ids.next().value; return e; };`,
    ],
    [
      `${UNKNOWN}: line 2, \`ids\``,
      `const ids = (function* () { for (let i = 0; ; i++) yield i; })();\n${RUN} for (const n of ids) { e.n = n; break; } return e; };`,
    ],
    [`${UNKNOWN}: line 2, \`ids\``, `const ids = [1, 2, 3].values();\n${RUN} const [n] = ids; e.n = n; return e; };`],
    [`${UNKNOWN}: line 2, \`ids\``, `const ids = [1, 2, 3].values();\n${RUN} e.n = [...ids].length; return e; };`],
    [`${UNKNOWN}: line 2, \`f\``, `const f = (e) => e;\n${RUN} return f.call(null, e); };`],
    [`${UNKNOWN}: line 2, \`f\``, `const f = (e) => e;\n${RUN} return f.bind(null)(e); };`],
    [
      `${UNKNOWN}: line 2, \`arguments\``,
      `const T = [];\nfunction f() { arguments[0].n = 1; } ${RUN} f(T); return e; };`,
    ],
    [
      `${UNKNOWN}: line 1, \`this\``,
      `const T = { n: 0, inc() { this.n += 1; return this.n; } };\n${RUN} e.n = T.inc(); return e; };`,
    ],
    [`${UNKNOWN}: line 2, \`this\``, `\nexport function transformEvent(e) { return this ?? e; }`],
    [`${UNKNOWN}: line 1, \`new.target\``, `function F() { new.target.n = 1; }\n${RUN} return e; };`],
    [`${UNKNOWN}: line 2, \`F\``, `function F() {}\n${RUN} return new F(); };`],
  ],
  classes: [
    [`${UNKNOWN}: line 1, \`class C\``, `class C { static n = 0; }\n${RUN} e.n = C.n++; return e; };`],
    [
      `${UNKNOWN}: line 1, \`class C\``,
      `class C { #n = 0; next() { return ++this.#n; } } const c = new C();\n${RUN} e.n = c.next(); return e; };`,
    ],
    [`${UNKNOWN}: line 1, \`class C\``, `class C { static { C.list = []; } }\n${RUN} return e; };`],
    [`${UNKNOWN}: line 1, \`class\``, `const C = class { };\n${RUN} return new C(); };`],
    [`${UNKNOWN}: line 1, \`class\``, `export default class { }\n${RUN} return e; };`],
    [
      `${UNKNOWN}: line 1, \`next\``,
      `const T = { n: 0, get next() { return 1; } };\n${RUN} e.n = T.next; return e; };`,
    ],
  ],
  'objects of the language': [
    [`${STATE}: line 2, \`Array\``, `\n${RUN} Array.prototype.last = e.id; return e; };`],
    [`${STATE}: line 1, \`Array\``, `Array.prototype.last = 1;\n${RUN} return e; };`],
    [`${STATE}: line 2, \`Math\``, `\n${RUN} Math.seen = e.id; return e; };`],
    [`${STATE}: line 2, \`console\``, `\n${RUN} console.log = () => 1; return e; };`],
    [`${STATE}: line 2, \`log\``, `\n${RUN} log = () => 1; return e; };`],
    [`${STATE}: line 2, \`log\``, `\n${RUN} log.last = e; return e; };`],
    [`${UNKNOWN}: line 2, \`globalThis\``, `\n${RUN} globalThis.n = 1; return e; };`],
    [`${UNKNOWN}: line 2, \`global\``, `\n${RUN} global.n = 1; return e; };`],
    [`${UNKNOWN}: line 2, \`eval\``, `\n${RUN} eval("globalThis.n = 1"); return e; };`],
    [`${UNKNOWN}: line 2, \`eval\``, `\n${RUN} (0, eval)("n = 1"); return e; };`],
    [`${UNKNOWN}: line 2, \`Function\``, `\n${RUN} Function("n = 1")(); return e; };`],
    [`${UNKNOWN}: line 2, \`Function\``, `\n${RUN} new Function("n = 1")(); return e; };`],
    [`${UNKNOWN}: line 2, \`constructor\``, `\n${RUN} (() => 1).constructor("n = 1")(); return e; };`],
    [`${UNKNOWN}: line 2, \`constructor\``, `\n${RUN} (() => 1)["constructor"]("n = 1")(); return e; };`],
    [`${UNKNOWN}: line 2, \`constructor\``, `\n${RUN} const { constructor: F } = () => 1; return e; };`],
    [`${UNKNOWN}: line 2, \`__proto__\``, `\n${RUN} e.__proto__.n = 1; return e; };`],
    [`${UNKNOWN}: line 2, \`__proto__\``, `\n${RUN} e[\`__proto__\`].n = 1; return e; };`],
    [`${UNKNOWN}: line 2, \`T\``, `const T = {};\n${RUN} T.__defineGetter__("n", () => e); return e; };`],
    [
      `${UNKNOWN}: line 2, \`Object.setPrototypeOf\``,
      `const T = {};\n${RUN} Object.setPrototypeOf(T, e); return e; };`,
    ],
    [
      `${UNKNOWN}: line 2, \`Object.getPrototypeOf\``,
      `const T = {};\n${RUN} Object.getPrototypeOf(e).n = 1; return e; };`,
    ],
    [`${UNKNOWN}: line 2, \`Proxy\``, `\n${RUN} new Proxy(e, {}); return e; };`],
    [`${UNKNOWN}: line 2, \`T\``, `const T = {};\n${RUN} const t = T.valueOf(); t.n = 1; return e; };`],
    [`${UNKNOWN}: line 2, \`T\``, `const T = {};\n${RUN} const t = T[e.k](); t.n = 1; return e; };`],
    [`${UNKNOWN}: line 2, \`RegExp\``, `\n${RUN} e.n = RegExp.$1; return e; };`],
    [`${UNKNOWN}: line 1, \`Symbol\``, `const MARK = Symbol("mark");\n${RUN} e[e.k][MARK] = 1; return e; };`],
    [`${UNKNOWN}: line 2, \`Symbol\``, `\n${RUN} e[e.k][Symbol.iterator] = 1; return e; };`],
    [`${UNKNOWN}: line 2, \`setTimeout\``, `\n${RUN} setTimeout(() => 1); return e; };`],
    [`${UNKNOWN}: line 2, \`WeakRef\``, `\n${RUN} new WeakRef(e); return e; };`],
    [`${UNKNOWN}: line 2, \`import()\``, `\n${RUN} import("a"); return e; };`],
    [`${PASSED}: line 2, \`T\``, `const T = {};\n${RUN} return T instanceof e.x; };`],
    [
      `${PASSED}: line 2, \`T\``,
      `const T = {};\n${RUN} const f = e.x ? () => 1 : Object.assign; f(T, { n: 1 }); return e; };`,
    ],
    [
      `${PASSED}: line 2, \`T\``,
      `const T = {}; const H = { f: (a) => a };\n${RUN} const f = H[e.k]; f(T).n = 1; return e; };`,
    ],
    [
      `${PASSED}: line 2, \`T\``,
      `const T = {};\n${RUN} const f = e[e.a]?.[e.b] ?? (() => 1); f(T, { n: 1 }); return e; };`,
    ],
    [`${PASSED}: line 2, \`RE\``, `const RE = /a/;\n${RUN} RegExp(RE).n = 1; return e; };`],
  ],
  'regular expressions': [
    [`${POSITION}: line 2, \`RE\``, `const RE = /a/g;\n${RUN} e.is = RE.test(e.x); return e; };`],
    [`${POSITION}: line 2, \`RE\``, `const RE = /a/y;\n${RUN} e.is = RE.exec(e.x); return e; };`],
    [`${POSITION}: line 2, \`RE\``, `const RE = /a/y;\n${RUN} e.is = e.x.replace(RE, ""); return e; };`],
    [`${PASSED}: line 2, \`RE\``, `const RE = /a/g;\n${RUN} e.is = [...e.x.matchAll(RE)]; return e; };`],
    [`${STATE}: line 2, \`RE\``, `const RE = /a/;\n${RUN} e.n = RE.lastIndex++; return e; };`],
    [`${STATE}: line 2, \`RE\``, `const RE = /a/;\n${RUN} RE[e.k] = 1; return e; };`],
    [`${UNKNOWN}: line 2, \`RE\``, `const RE = /a/;\n${RUN} RE.compile("b"); return e; };`],
    [
      `${PASSED}: line 2, \`RE\``,
      `const RE = /a/;\n${RUN} const o = { replace: (re) => { re.n = 1; } }; o.replace(RE); return e; };`,
    ],
    [
      `${PASSED}: line 2, \`RE\``,
      `const RE = /a/;\n${RUN} const o = {}; o[e.k] = (re) => { re.n = 1; }; o.replace(RE); return e; };`,
    ],
    [
      `${PASSED}: line 2, \`f\``,
      `const f = (x) => x;\n${RUN} const o = { map(g) { g.n = 1; } }; o.map(f); return e; };`,
    ],
    [
      `${PASSED}: line 2, \`RE\``,
      `const RE = /a/;\n${RUN} const put = (o, g) => { o.split = g; }; put(e, (re) => { re.n = 1; }); e.split(RE); return e; };`,
    ],
    [
      `${PASSED}: line 2, \`RE\``,
      `const RE = /a/;\n${RUN} const [o] = e.list.map(() => (re) => { re.n = 1; }); o.split(RE); return e; };`,
    ],
  ],
  'what is not known': [
    [
      `${UNKNOWN}: line 2, \`o\``,
      `const o = (() => { let n = 0; return { toString: () => String(++n) }; })();\n${RUN} e.n = \`\${o}\`; return e; };`,
    ],
    [
      `${UNKNOWN}: line 2, \`o\``,
      `const o = (() => { let n = 0; return { valueOf: () => ++n }; })();\n${RUN} e.n = o + 1; return e; };`,
    ],
    [
      `${UNKNOWN}: line 2, \`o\``,
      `const o = (() => { let n = 0; return { get n() { return ++n; } }; })();\n${RUN} e.n = \`\${o.n}\`; return e; };`,
    ],
    [
      `${UNKNOWN}: line 2, \`o\``,
      `const o = (() => { let n = 0; return { toJSON: () => ++n }; })();\n${RUN} e.n = JSON.stringify(o); return e; };`,
    ],
    [
      `${UNKNOWN}: line 2, \`o\``,
      `const o = [0].map(() => { let n = 0; return { toString: () => String(++n) }; });\n${RUN} e.n = o.join(); return e; };`,
    ],
    [
      `${UNKNOWN}: line 2, \`o\``,
      `const o = (() => { let n = 0; return { toString: () => String(++n) }; })();\n${RUN} e.n = e[o]; return e; };`,
    ],
    [`${PASSED}: line 2, \`LIST\``, `const LIST = ["a"];\n${RUN} LIST.map(Array.of)[0][2].push(1); return e; };`],
    [`${PASSED}: line 2, \`LIST\``, `const LIST = ["a"];\n${RUN} LIST.map(Array)[0][2].push(1); return e; };`],
    [
      `${STATE}: line 2, \`b\``,
      `const S = new Set([{ n: 1 }]);\n${RUN} S.forEach((a, b) => { b.n = 2; }); return e; };`,
    ],
    [
      `${STATE}: line 2, \`k\``,
      `const M = new Map([[{ n: 1 }, 1]]);\n${RUN} M.forEach((v, k) => { k.n = 2; }); return e; };`,
    ],
  ],
  'when it is loaded': [
    [`${AT_LOAD}: line 1, \`Date.now\``, `const START = Date.now();\n${RUN} e.start = START; return e; };`],
    [`${AT_LOAD}: line 1, \`Date\``, `const START = new Date();\n${RUN} e.start = START.getTime(); return e; };`],
    [`${AT_LOAD}: line 1, \`Math.random\``, `const SALT = Math.random();\n${RUN} e.salt = SALT; return e; };`],
    [`${AT_LOAD}: line 1, \`crypto.randomUUID\``, `const ID = crypto.randomUUID();\n${RUN} e.id = ID; return e; };`],
    [
      `${AT_LOAD}: line 1, \`Math.random\``,
      `const pick = () => Math.random(); const SALT = pick();\n${RUN} e.salt = SALT; return e; };`,
    ],
    [
      `${AT_LOAD}: line 1, \`Math.random\``,
      `const pick = () => Math.random(); const SALTS = [1, 2].map(pick);\n${RUN} e.salt = SALTS[0]; return e; };`,
    ],
    [
      `${AT_LOAD}: line 1, \`Math.random\``,
      `const pick = () => Math.random(); const twice = () => pick() + pick(); const SALT = twice();\n${RUN} e.salt = SALT; return e; };`,
    ],
    [
      `${AT_LOAD}: line 1, \`Date\``,
      `const clock = Date.now; const START = clock();\n${RUN} e.salt = START; return e; };`,
    ],
    [`${AT_LOAD}: line 1, \`await\``, `const R = await fetch("https://a.example/");\n${RUN} e.r = R; return e; };`],
    [`${AT_LOAD}: line 1, \`fetch\``, `fetch("https://a.example/");\n${RUN} return e; };`],
    [`${AT_LOAD}: line 1, \`fetchV2\``, `const P = (() => fetchV2("https://a.example/"))();\n${RUN} return e; };`],
  ],
  'code that cannot be analysed': [
    ['cannot be read: line 1', `${RUN} return e`],
    ['is too long to follow: line 1', `${RUN} ${'e.n = 1;'.repeat(10_000)} return e; };`],
    ['is too long to follow: line 1', `/* ${'x'.repeat(200_000)} */ ${RUN} return e; };`],
    ['cannot be read: line 1', `${RUN} return ${'['.repeat(9_000)}${']'.repeat(9_000)}; };`],
    [`${UNKNOWN}: line 2`, `\n${RUN} debugger; return e; };`],
  ],
};

describe.each(Object.entries(FAMILIES))('%s', (_family, programs) => {
  it.each(programs)('%s', (told, code) => {
    const verdict = runtimeOf({ code, libraries: [] });
    expect(verdict.runtime === 'fresh' ? describeProblem(verdict) : verdict.runtime).toBe(told);
  });
});
