import { AT_LOAD, eachIsFresh, PASSED, POSITION, RUN, STATE, UNKNOWN } from '../../test/support/fresh-code.js';

eachIsFresh({
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
    [`${AT_LOAD}: line 1, \`geolocation\``, `geolocation("203.0.113.9").catch(() => 0);\n${RUN} return e; };`],
    [`${AT_LOAD}: line 1, \`fetchV2\``, `const P = (() => fetchV2("https://a.example/"))();\n${RUN} return e; };`],
  ],
  'code that cannot be analysed': [
    ['cannot be read: line 1', `${RUN} return e`],
    ['is too long to follow: line 1', `${RUN} ${'e.n = 1;'.repeat(10_000)} return e; };`],
    ['is too long to follow: line 1', `/* ${'x'.repeat(200_000)} */ ${RUN} return e; };`],
    ['cannot be read: line 1', `${RUN} return ${'['.repeat(9_000)}${']'.repeat(9_000)}; };`],
    [`${UNKNOWN}: line 2`, `\n${RUN} debugger; return e; };`],
  ],
});
