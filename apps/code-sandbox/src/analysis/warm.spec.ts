import { expect, it } from '@jest/globals';
import { runtimeOf } from './runtime-of.js';

/** Programs that leave nothing behind. `EVENT` stands for an exported function with the lines after it. */
const PROGRAMS: [what: string, code: string][] = [
  ['identity', 'export const transformEvent = (event) => event;'],
  [
    'a change of the event',
    'export function transformEvent(event) { event.seen = true; delete event.ip; return event; }',
  ],
  [
    'a deep change',
    'export function transformEvent(e) { e.context.page.url = ""; e.a.b.c += 1; e.list[0].n++; return e; }',
  ],
  [
    'a batch',
    'export function transformBatch(events) { events.sort((a, b) => a.n - b.n); events.push({}); return events; }',
  ],
  ['metadata', 'export function transformEvent(e, metadata) { e.source = metadata(e).sourceId; return e; }'],
  ['a constant', 'const LIMIT = 5; export const transformEvent = (e) => (e.n > LIMIT ? e : null);'],
  [
    'a text table by a key of the event',
    'const NAMES = { a: "A", b: "B" }; export const transformEvent = (e) => { e.name = NAMES[e.type] ?? "C"; return e; };',
  ],
  [
    'a list of texts',
    'const DROP = ["a", "b"]; export const transformEvent = (e) => { if (!DROP.includes(e.type)) return e; };',
  ],
  [
    'a loop over a list',
    'const KEYS = ["a", "b"]; export const transformEvent = (e) => { for (const key of KEYS) delete e[key]; return e; };',
  ],
  [
    'a callback for each',
    'const KEYS = ["a", "b"]; export const transformEvent = (e) => { KEYS.forEach((key) => { e[key] = null; }); return e; };',
  ],
  [
    'a set',
    'const DROP = new Set(["a", "b"]); export const transformEvent = (e) => { if (!DROP.has(e.type)) return e; };',
  ],
  [
    'a map',
    'const NAMES = new Map([["a", "A"]]); export const transformEvent = (e) => { e.name = NAMES.get(e.type); return e; };',
  ],
  [
    'a set from a computed list',
    'const DROP = new Set(["A", "B"].map((x) => x.toLowerCase())); export const transformEvent = (e) => (DROP.has(e.type) ? null : e);',
  ],
  [
    'a frozen table',
    'const T = Object.freeze({ a: 1 }); export const transformEvent = (e) => { e.n = T.a; return e; };',
  ],
  [
    'a split list',
    'const KEYS = "a,b,c".split(","); export const transformEvent = (e) => (KEYS.includes(e.type) ? e : null);',
  ],
  [
    'rules with fields',
    'const RULES = [{ key: "a", max: 3 }, { key: "b", max: 4 }]; export const transformEvent = (e) => { for (const { key, max } of RULES) if (e[key] > max) e[key] = max; return e; };',
  ],
  [
    'rules by a callback',
    'const RULES = [{ key: "a", max: 3 }]; export const transformEvent = (e) => (RULES.some((rule) => e[rule.key] > rule.max) ? null : e);',
  ],
  [
    'a rule that is found',
    'const RULES = [{ key: "a", max: 3 }]; export const transformEvent = (e) => { const rule = RULES.find(({ key }) => key === e.type); if (rule) e.max = rule.max; return e; };',
  ],
  [
    'rules with functions',
    'const RULES = [{ is: (e) => e.n > 1, name: "big" }]; export const transformEvent = (e) => { for (const { is } of RULES) if (is(e)) e.hit = true; return e; };',
  ],
  [
    'a dispatch table',
    'const HANDLERS = { track: (e) => e, page: (e) => ({ ...e, page: true }) }; export const transformEvent = (e) => { const handle = HANDLERS[e.type]; return handle ? handle(e) : e; };',
  ],
  [
    'a dispatch table, called at once',
    'const HANDLERS = { track: (e) => e, page: (e) => ({ ...e }) }; export const transformEvent = (e) => HANDLERS[e.type]?.(e) ?? e;',
  ],
  [
    'a dispatch map',
    'const HANDLERS = new Map([["track", (e) => e]]); export const transformEvent = (e) => HANDLERS.get(e.type)?.(e);',
  ],
  [
    'a pipeline',
    'const trim = (e) => e; const mark = (e) => { e.m = 1; return e; }; const STEPS = [trim, mark]; export function transformEvent(e) { for (const step of STEPS) e = step(e); return e; }',
  ],
  [
    'a reduced pipeline',
    'const STEPS = [(e) => e, (e) => ({ ...e })]; export const transformEvent = (e) => STEPS.reduce((event, step) => step(event), e);',
  ],
  ['a regular expression', 'const IP = /^\\d+/; export const transformEvent = (e) => (IP.test(e.ip) ? e : null);'],
  [
    'a replacement everywhere',
    'const DIGIT = /\\d/g; export const transformEvent = (e) => { e.card = String(e.card).replace(DIGIT, "*"); return e; };',
  ],
  [
    'a global expression of the run',
    'export const transformEvent = (e) => { const re = /a/g; while (re.test(e.x)) e.n = 1; return e; };',
  ],
  [
    'expressions in a list',
    'const BOTS = [/bot/i, /spider/i]; export const transformEvent = (e) => (BOTS.some((bot) => bot.test(e.agent)) ? null : e);',
  ],
  [
    'a recursive function',
    'function masked(v) { if (Array.isArray(v)) return v.map(masked); if (typeof v !== "object" || v === null) return v; const r = {}; for (const [k, x] of Object.entries(v)) r[k] = masked(x); return r; } export const transformEvent = (e) => masked(e);',
  ],
  [
    'a table that is passed to a function that reads',
    'const KEYS = ["a"]; function drop(e, keys) { for (const key of keys) delete e[key]; } export const transformEvent = (e) => { drop(e, KEYS); return e; };',
  ],
  [
    'a table by default',
    'const KEYS = ["a"]; function drop(e, keys = KEYS) { for (const key of keys) delete e[key]; return e; } export const transformEvent = (e) => drop(e);',
  ],
  ['a copy of a table', 'const BASE = { a: 1 }; export const transformEvent = (e) => ({ ...BASE, ...e });'],
  ['an assigned copy', 'const BASE = { a: 1 }; export const transformEvent = (e) => Object.assign({}, BASE, e);'],
  [
    'a cloned table',
    'const BASE = { a: { b: 1 } }; export const transformEvent = (e) => { const copy = structuredClone(BASE); copy.a.b = e.n; return copy; };',
  ],
  [
    'a copied list',
    'const LIST = ["a"]; export const transformEvent = (e) => { const list = [...LIST]; list.push(e.type); e.list = list; return e; };',
  ],
  [
    'a filtered list',
    'const LIST = ["a", "b"]; export const transformEvent = (e) => { e.list = LIST.filter((key) => key in e); return e; };',
  ],
  [
    'keys of a table',
    'const T = { a: "b" }; export const transformEvent = (e) => { for (const [from, to] of Object.entries(T)) e[to] = e[from]; return e; };',
  ],
  [
    'JSON of a table',
    'const T = { a: ["b"] }; export const transformEvent = (e) => { e.t = JSON.parse(JSON.stringify(T)); return e; };',
  ],
  [
    'a table filled at the top level',
    'const INDEX = {}; for (const key of ["a", "b"]) INDEX[key] = key.length; export const transformEvent = (e) => { e.n = INDEX[e.type]; return e; };',
  ],
  [
    'a map filled at the top level',
    'const INDEX = new Map(); INDEX.set("a", 1).size; export const transformEvent = (e) => { e.n = INDEX.get(e.type); return e; };',
  ],
  [
    'a binding that the top level changes',
    'let mode = "a"; mode += "b"; export const transformEvent = (e) => ({ ...e, mode });',
  ],
  [
    'time and chance in a run',
    'export const transformEvent = (e) => ({ ...e, at: Date.now(), on: new Date(), r: Math.random(), id: crypto.randomUUID() });',
  ],
  [
    'a class of the language',
    'export const transformEvent = (e) => { const url = new URL(e.url); url.searchParams.delete("utm"); e.url = url.href; return e; };',
  ],
  [
    'async work',
    'export const transformEvent = async (e) => { const r = await fetch("https://a.example/"); e.r = r; return e; };',
  ],
  [
    'a place that it asks for',
    'export const transformEvent = async (e) => { try { e.place = await geolocation(e.context.ip); } catch (error) { log(error.message); } return e; };',
  ],
  [
    'several calls at once',
    'const URLS = ["https://a.example/", "https://b.example/"]; export const transformEvent = async (e) => { e.all = await Promise.all(URLS.map((url) => fetchV2(url))); return e; };',
  ],
  [
    'a credential',
    'const KEY = getCredential("key"); export const transformEvent = (e) => ({ ...e, hash: sha256(e.id + KEY) });',
  ],
  [
    'a promise chain',
    'export const transformEvent = (e) => Promise.resolve(e).then((event) => ({ ...event })).catch(() => null);',
  ],
  [
    'a closure of the run',
    'export const transformEvent = (e) => { let n = 0; const add = () => { n += 1; }; add(); add(); e.n = n; return e; };',
  ],
  [
    'a generator of the run',
    'function* each(list) { for (const x of list) yield x; } export const transformEvent = (e) => ({ all: [...each(e.list ?? [])] });',
  ],
  [
    'a memo of the run',
    'export const transformBatch = (events) => { const seen = new Set(); return events.filter((e) => !seen.has(e.id) && seen.add(e.id)); };',
  ],
  [
    'a function that gets a function',
    'const walk = (v, f) => { for (const k of Object.keys(v)) v[k] = f(v[k]); return v; }; const AT = /@.*/; export const transformEvent = (e) => walk(e, (x) => String(x).replace(AT, ""));',
  ],
  ['logs', 'const T = { a: 1 }; export const transformEvent = (e) => { log("t", T); console.log(e); return e; };'],
  [
    'errors',
    'export const transformEvent = (e) => { if (!e.id) throw new Error("no id"); try { JSON.parse(e.x); } catch (error) { e.error = error.message; } return e; };',
  ],
  [
    'labels and switches',
    'export const transformEvent = (e) => { outer: for (const a of e.list) for (;;) { if (a) continue outer; break; } switch (e.type) { case "a": e.n = 1; break; default: e.n = 2; } return e; };',
  ],
  [
    'destructuring with defaults',
    'const PLAN = "free"; export const transformEvent = ({ traits: { plan = PLAN, ...traits } = {}, ...event }) => ({ ...event, plan, traits });',
  ],
  [
    'functions of the language as callbacks',
    'export const transformEvent = (e) => ({ ...e, tags: e.tags.map(String).filter(Boolean) });',
  ],
  [
    'taken functions of the language',
    'const { floor } = Math; const { keys } = Object; export const transformEvent = (e) => ({ n: floor(e.n), keys: keys(e) });',
  ],
  ['a template', `const NAME = "x"; export const transformEvent = (e) => ({ text: \`\${NAME}: \${e.type}\` });`],
  [
    'a tag of its own',
    `const tag = (parts, ...values) => parts.join("|") + values.length; export const transformEvent = (e) => ({ text: tag\`a\${e.n}b\` });`,
  ],
  [
    'a method of an object of the run',
    'export const transformEvent = (e) => { const box = { get() { return e.n; } }; return { n: box.get() }; };',
  ],
  [
    'a weak map of the run',
    'export const transformBatch = (events) => { const m = new WeakMap(); for (const e of events) m.set(e, 1); return events.filter((e) => m.has(e)); };',
  ],
  [
    'nested constants',
    'const CONFIG = { limits: { max: 3 }, names: ["a"] }; export const transformEvent = (e) => { if (e.n > CONFIG.limits.max) e.n = 0; return CONFIG.names.includes(e.type) ? e : null; };',
  ],
  [
    'a function called at load',
    'const double = (n) => n * 2; const SIZE = double(4); export const transformEvent = (e) => ({ ...e, size: SIZE });',
  ],
  [
    'a shadowed name',
    'const seen = 1; export const transformEvent = (e) => { let seen = 0; seen += 1; e.n = seen; return e; };',
  ],
  [
    'a parameter of the same name',
    'const list = []; export const transformEvent = (list) => { list.push?.(1); return list; };',
  ],
  ['unused functions', 'export function helper(x) { return x; } export const transformEvent = (e) => e;'],
  ['named exports', 'const run = (e) => e; export { run as transformEvent };'],
  ['intl', 'export const transformEvent = (e) => ({ ...e, at: new Intl.DateTimeFormat("en").format(0) });'],
];

it.each(PROGRAMS)('%s', (_what, code) => {
  expect(runtimeOf({ code, libraries: [] })).toEqual({ runtime: 'warm' });
});
