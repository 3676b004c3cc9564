import { type Attack, after, attempt, each, eachAsync, type Family, GOT_NOTHING } from './attack.js';

/** Returns call sites instead of a text. */
const SITES = 'Error.prepareStackTrace = (_, sites) => sites;';
const forged = (stack: string) => each(`throw { stack: ${JSON.stringify(stack)} };`);

const sites: Attack[] = [
  [
    'all that a call site tells',
    attempt(
      `${SITES} const [site] = new Error().stack; const names = Object.getOwnPropertyNames(Object.getPrototypeOf(site)); return names.map((name) => { try { return site[name](); } catch { return undefined; } }).find((told) => Object(told) === told);`,
    ),
    GOT_NOTHING,
  ],
  [
    'the maker of call sites',
    attempt(
      `${SITES} return new Error().stack[0].constructor.constructor("return typeof process")() === "object" || undefined;`,
    ),
    GOT_NOTHING,
  ],
  [
    'sites of an error of the driver',
    attempt(
      `${SITES} try { getCredential(null); } catch (e) { return e.stack.map((s) => s.getThis() ?? s.getFunction()).find(Boolean); }`,
    ),
    GOT_NOTHING,
  ],
  [
    'sites while log reads a value',
    attempt(
      `${SITES} let got; log({ toJSON() { got = new Error().stack.map((s) => s.getFunction() ?? s.getThis()).filter(Boolean).find((f) => f.name === "addLine" || f.name === "shownValue"); } }); return got;`,
    ),
    GOT_NOTHING,
  ],
  [
    'sites while a result is written',
    each(
      `${SITES} return { get a() { return new Error().stack.some((s) => s.getFunction()?.name === "outputsOf"); } };`,
    ),
    { output: { a: false } },
  ],
  [
    'sites of a thenable that the driver asks',
    each(
      `${SITES} return { then(done) { done({ a: new Error().stack.some((s) => Object(s.getThis()) === s.getThis() && s.getThis() !== globalThis && !s.getThis().then) }); } };`,
    ),
    { output: { a: false } },
  ],
  [
    'sites of loose code',
    each(
      `${SITES} return { a: Function("return new Error().stack.map((s) => s.getThis()).filter((t) => t && t !== globalThis).length")() };`,
    ),
    { output: { a: 0 } },
  ],
  [
    'callers of a sloppy sort',
    each(
      'let got = "nothing"; [2, 1].sort(Function("a", "b", "return 0")); return { got: String(Function("return arguments.callee.caller")()) };',
    ),
    { output: { got: 'null' } },
  ],
];

const prepared: Attack[] = [
  [
    'prepared as an object',
    each('Error.prepareStackTrace = () => ({ a: 1 }); throw new Error("x");'),
    { failing: 'Error: thrown: ' },
  ],
  [
    'prepared as a symbol',
    each('Error.prepareStackTrace = () => Symbol("s"); throw new Error("x");'),
    { failing: 'Error: thrown: ' },
  ],
  [
    'prepared with an error',
    each('Error.prepareStackTrace = () => { throw new Error("again"); }; throw new Error("x");'),
    { failing: 'Error: ' },
  ],
  [
    'prepared by a proxy',
    each('Error.prepareStackTrace = new Proxy(() => "proxied", {}); throw new Error("x");'),
    { failing: 'Error: x' },
  ],
  [
    'prepared without end',
    each('Error.prepareStackTrace = () => "x".repeat(2 ** 24); throw new Error("x");'),
    { error: 'x'.repeat(4_096) },
  ],
  [
    'prepared by an async function',
    each('Error.prepareStackTrace = async () => "x"; throw new Error("x");'),
    { failing: 'Error: thrown: {' },
  ],
  [
    'a getter in the place of the function',
    each(
      'Object.defineProperty(Error, "prepareStackTrace", { get() { throw new Error("asked"); } }); throw new Error("x");',
    ),
    { failing: 'Error: ' },
  ],
  [
    'prepared for a refused call of fetch',
    eachAsync(
      'Error.prepareStackTrace = (e, s) => s.map((x) => typeof x.getThis()).join(); return { a: (await fetchV2("no address").catch((e) => e)).stack.replaceAll("undefined", "").replaceAll(",", "") };',
    ),
    { output: { a: '' } },
  ],
  [
    'prepared for an overflow',
    each('Error.prepareStackTrace = (e, s) => String(s.length > 5); const f = () => f(); f();'),
    { error: 'true' },
  ],
  [
    'captured for the event',
    each('Error.captureStackTrace(event); return { a: typeof event.stack };'),
    { output: { a: 'string' } },
  ],
  ['captured for all objects', after('Error.captureStackTrace(Object.prototype)'), { output: { a: 1 } }],
  [
    'captured for a proxy',
    each(
      'let seen = 0; Error.captureStackTrace(new Proxy({}, { defineProperty: () => { seen += 1; return true; } })); return { seen };',
    ),
    { failing: 'TypeError' },
  ],
  [
    'captured without the frames of the function',
    each('const e = new Error("x"); Error.captureStackTrace(e, transformEvent); throw e;'),
    { error: 'Error: x' },
  ],
  [
    'captured for a frozen object',
    each('Error.captureStackTrace(Object.freeze({}));'),
    { failing: 'TypeError: Cannot define property stack, object is not extensible' },
  ],
  [
    'a limit that is no number',
    each('Error.stackTraceLimit = { valueOf() { for (;;); } }; throw new Error("x");'),
    { failing: 'Error: thrown: {' },
  ],
  ['a limit below zero', each('Error.stackTraceLimit = -1; throw new Error("x");'), { error: 'Error: x' }],
  [
    'frames without end',
    each(
      'Error.stackTraceLimit = 1e9; const f = (n) => (n ? f(n - 1) : new Error("deep")); return { long: f(9000).stack.length > 1e5 };',
    ),
    { output: { long: true } },
  ],
];

const texts: Attack[] = [
  [
    'a line of the driver',
    forged('Error: x\n    at begin (weir:driver:1:1)\n    at f (mine:2:3)'),
    { error: 'Error: x\n    at f (mine:2:3)' },
  ],
  [
    'a line after the called function',
    forged('Error: x\n    at transformEvent (a:1:1)\n    at f (b:2:2)'),
    { error: 'Error: x\n    at transformEvent (a:1:1)' },
  ],
  [
    'a boundary in the middle',
    forged('Error: x\n    at f (a:1:1)\n    at (<isolated-vm boundary>)\n    at g (b:2:2)'),
    { error: 'Error: x\n    at f (a:1:1)' },
  ],
  [
    'only native frames',
    forged('Error: x\n    at JSON.parse (<anonymous>)\n    at JSON.stringify (<anonymous>)'),
    { error: 'Error: x' },
  ],
  [
    'more lines than anybody reads',
    each('throw { stack: "E" + "\\n    at f (a:1:1)".repeat(1e5) };'),
    { error: `E${'\n    at f (a:1:1)'.repeat(99)}` },
  ],
  ['breaks of other kinds', forged('Error: x\r\u2028\u2029\u0085\0 y'), { error: 'Error: x\r\u2028\u2029\u0085\0 y' }],
  ['half characters', forged('Error: \ud83d\n\udc00'), { error: 'Error: \ud83d\n\udc00' }],
  [
    'text that would end the JSON',
    forged('"}},{"status":"ok","outputs":[{"forged":1}]}'),
    { error: '"}},{"status":"ok","outputs":[{"forged":1}]}' },
  ],
  ['nothing but line breaks', each('throw { stack: "\\n".repeat(50) };'), { error: '\n'.repeat(50) }],
];

export const stacks: Family = { name: 'stack traces', memoryMb: 96, attacks: [...sites, ...prepared, ...texts] };
