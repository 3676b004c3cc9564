import { type Attack, attempt, CANARY_FILE, CANARY_NAME, each, type Family, failed, GOT_NOTHING } from './attack.js';

const NO_PROCESS = failed('ReferenceError: process is not defined');
const STEAL = `process.env.${CANARY_NAME}`;
const stealBy = (maker: string) => attempt(`return ${maker}(${JSON.stringify(`return ${STEAL}`)})();`);

/** From node:vm, where every object's constructor led to the host's Function. */
const ofVm: Attack[] = [
  ['this.constructor.constructor', stealBy('globalThis.constructor.constructor'), NO_PROCESS],
  ['the constructor of the event', stealBy('event.constructor.constructor'), NO_PROCESS],
  ['the constructor of metadata', stealBy('metadata.constructor'), NO_PROCESS],
  ['the constructor of what metadata gives', stealBy('metadata(event).constructor.constructor'), NO_PROCESS],
  ['the constructor of log', stealBy('log.constructor'), NO_PROCESS],
  ['the constructor of console', stealBy('console.log.constructor'), NO_PROCESS],
  ['the constructor of fetch', stealBy('fetch.constructor.constructor'), NO_PROCESS],
  ['the constructor of a fetch promise', stealBy('fetch("x").constructor.constructor'), NO_PROCESS],
  ['the constructor of getCredential', stealBy('getCredential.constructor'), NO_PROCESS],
  ['the constructor of URL', stealBy('URL.constructor'), NO_PROCESS],
  ['the constructor of crypto', stealBy('crypto.subtle.digest.constructor.constructor'), NO_PROCESS],
  ['an async function', stealBy('Object.getPrototypeOf(async () => {}).constructor.constructor'), NO_PROCESS],
  ['a generator function', stealBy('Object.getPrototypeOf(function* () {}).constructor.constructor'), NO_PROCESS],
  [
    'arguments.callee.caller',
    attempt('return (function () { return transformEvent.caller; })();'),
    failed(
      "TypeError: 'caller', 'callee', and 'arguments' properties may not be accessed on strict mode functions or the arguments objects for calls to them",
    ),
  ],
  [
    'Function.caller of sloppy code',
    attempt('return Function("return arguments.callee.caller")();'),
    { output: { got: 'null' } },
  ],
  [
    'an error of the host',
    attempt(`try { JSON.parse('{'); } catch (e) { return e.constructor.constructor('return ${STEAL}')(); }`),
    NO_PROCESS,
  ],
  [
    'an error of a deep stack',
    attempt(`const f = () => f(); try { f(); } catch (e) { return e.constructor.constructor('return ${STEAL}')(); }`),
    NO_PROCESS,
  ],
];

/** From vm2: proxies and errors of its bridge, species, call sites. */
const ofVm2: Attack[] = [
  [
    'call sites with this',
    attempt(
      'Error.prepareStackTrace = (_, sites) => sites; return new Error().stack.map((s) => s.getThis()).find(Boolean);',
    ),
    GOT_NOTHING,
  ],
  [
    'call sites with functions',
    attempt(
      'Error.prepareStackTrace = (_, sites) => sites; return new Error().stack.map((s) => s.getFunction()).find(Boolean);',
    ),
    GOT_NOTHING,
  ],
  [
    'an async stack with call sites',
    attempt(
      'Error.prepareStackTrace = (_, sites) => sites; await null; return new Error().stack.map((s) => s.getThis() ?? s.getFunction()).find(Boolean);',
    ),
    GOT_NOTHING,
  ],
  [
    'a species of a host promise',
    attempt(
      `let F; const p = fetch('x'); p.constructor = { [Symbol.species]: class { constructor(run) { run((v) => { F = v; }, () => {}); } } }; p.then(() => {}); await null; await null; return F?.constructor?.constructor('return typeof process')() === 'object' ? F : undefined;`,
    ),
    GOT_NOTHING,
  ],
  [
    'a catch of a rejected host promise',
    attempt(`const e = await fetchV2('nope').catch((x) => x); return e.constructor.constructor('return ${STEAL}')();`),
    NO_PROCESS,
  ],
  [
    'an overflow inside of a host function',
    attempt(
      `const f = () => { try { f(); } catch (e) { const c = e.constructor.constructor; try { globalThis.stolen = c('return ${STEAL}')(); } catch {} } }; f(); return globalThis.stolen;`,
    ),
    GOT_NOTHING,
  ],
  [
    'an overflow inside of log',
    attempt(
      `const f = () => { try { log({ toJSON: f }); f(); } catch (e) { try { globalThis.stolen = e.constructor.constructor('return process')(); } catch {} } }; f(); return globalThis.stolen;`,
    ),
    'ended',
  ],
  [
    'a proxy that sees what log does',
    attempt(
      'let seen; log(new Proxy({}, { get(t, k, r) { seen = r !== undefined && k.constructor.constructor("return typeof process")() !== "undefined"; } })); return seen || undefined;',
    ),
    GOT_NOTHING,
  ],
  [
    'inspect of Node',
    attempt(
      'let got; const o = { [Symbol.for("nodejs.util.inspect.custom")](_, __, inspect) { got = inspect; } }; log(o); console.log(o); return got;',
    ),
    GOT_NOTHING,
  ],
  [
    'Buffer',
    attempt('return Buffer.from("").constructor.constructor("return process")();'),
    failed('ReferenceError: Buffer is not defined'),
  ],
  ['WebAssembly', attempt('return WebAssembly.Module;'), failed('ReferenceError: WebAssembly is not defined')],
  [
    'shared memory through WebAssembly',
    attempt('return new SharedArrayBuffer(1);'),
    failed('ReferenceError: SharedArrayBuffer is not defined'),
  ],
  ['a timer through Atomics', attempt('return Atomics.waitAsync;'), failed('ReferenceError: Atomics is not defined')],
];

/** From isolated-vm: a handle left within reach. */
const ofIsolates: Attack[] = [
  ...['ivm', 'Reference', 'ExternalCopy', 'Callback', 'Isolate', 'Context', '_ivm', '$0', '$1'].map(
    (name): Attack => [`the name ${name}`, attempt(`return globalThis[${JSON.stringify(name)}];`), GOT_NOTHING],
  ),
  [
    'a handle among all that is reachable',
    attempt(`
    const seen = new Set(); const open = [globalThis, event, metadata];
    while (open.length) {
      const value = open.pop();
      if (Object(value) !== value || seen.has(value)) continue;
      seen.add(value); open.push(Object.getPrototypeOf(value));
      if (['apply', 'applySync', 'derefInto', 'copySync'].some((k) => Object.hasOwn(value, k) && value !== Function.prototype && value !== Reflect)) return value;
      for (const key of Reflect.ownKeys(value)) { const d = Reflect.getOwnPropertyDescriptor(value, key); open.push(d.value, d.get, d.set); }
    }`),
    GOT_NOTHING,
  ],
  [
    'native code beyond the language',
    attempt(`
    const own = new Set(); const open = [globalThis];
    while (open.length) {
      const value = open.pop();
      if (Object(value) !== value || own.has(value)) continue;
      own.add(value); open.push(Object.getPrototypeOf(value));
      if (typeof value === 'function' && /^(apply(Ignored|Sync|SyncPromise)|derefInto|copy(Sync|Into)|transferIn|release|[gs]etSync)$/.test(value.name)) return value.name;
      for (const key of Reflect.ownKeys(value)) { const d = Reflect.getOwnPropertyDescriptor(value, key); open.push(d.value, d.get, d.set); }
    }`),
    GOT_NOTHING,
  ],
  [
    'the driver, imported',
    "import * as d from 'weir:driver'; export const transformEvent = () => ({ d: Object.keys(d) });",
    { error: 'Error: import from weir:driver failed. Module not found.' },
  ],
  [
    'the entry, imported',
    "import * as d from 'weir:entry'; export const transformEvent = () => ({ d: Object.keys(d) });",
    { error: 'Error: import from weir:entry failed. Module not found.' },
  ],
  ['the driver, imported later', attempt("return import('weir:driver');"), failed('Error: Not supported')],
  ['import.meta', attempt('return Object.keys(import.meta).length || import.meta.url || undefined;'), GOT_NOTHING],
  [
    'the results of the run, forged by a global',
    'globalThis.finish = () => "{}"; export const finish = () => "{}"; export const start = () => {}; export const transformEvent = () => ({ a: 1 });',
    { output: { a: 1 } },
  ],
  [
    'settings of the run, through Object.prototype',
    'Object.prototype.allowFetch = true; Object.prototype.collectLogs = true; export const transformEvent = async () => ({ a: await fetch("https://example.com/") });',
    { output: { a: 'ERROR' } },
  ],
];

/** Files, network and processes of the host by name. */
const ofNode: Attack[] = [
  [
    'require',
    attempt(`return require('fs').readFileSync(${JSON.stringify(CANARY_FILE)}, 'utf8');`),
    failed('ReferenceError: require is not defined'),
  ],
  [
    'import of fs',
    `import fs from 'fs'; export const transformEvent = () => ({ a: fs.readFileSync('${CANARY_FILE}', 'utf8') });`,
    { error: 'Error: import from fs failed. Module not found.' },
  ],
  ['import of node:fs later', attempt("return import('node:fs');"), failed('Error: Not supported')],
  [
    'import of a file',
    `import x from 'file://${CANARY_FILE}'; export const transformEvent = (e) => e;`,
    { error: `Error: import from file://${CANARY_FILE} failed. Module not found.` },
  ],
  [
    'import of a path',
    `import x from '../../../../..${CANARY_FILE}'; export const transformEvent = (e) => e;`,
    { error: `Error: import from ../../../../..${CANARY_FILE} failed. Module not found.` },
  ],
  [
    'import of a data URL',
    "import x from 'data:text/javascript,export default process'; export const transformEvent = (e) => e;",
    { error: 'Error: import from data:text/javascript,export default process failed. Module not found.' },
  ],
  ['process.binding', attempt("return process.binding('fs');"), NO_PROCESS],
  ['the environment', attempt(`return ${STEAL};`), NO_PROCESS],
  [
    'fetch of a file',
    attempt(`return (await fetchV2('file://${CANARY_FILE}')).body;`),
    failed('not an Error: invalid protocol, only http and https are supported'),
  ],
  [
    'fetch of the metadata service',
    attempt("return (await fetchV2('http://169.254.169.254/')).body;"),
    failed('not an Error: blocked request to non-public address: 169.254.169.254'),
  ],
  ['a worker', attempt("return new Worker('x');"), failed('ReferenceError: Worker is not defined')],
  ['a timer', attempt('return setTimeout(() => {}, 1);'), failed('ReferenceError: setTimeout is not defined')],
  ['a debugger', each('debugger; return { a: 1 };'), { output: { a: 1 } }],
  [
    'natives of V8',
    attempt("return Function('return %GetOptimizationStatus(1)')();"),
    failed("SyntaxError: Unexpected token '%'"),
  ],
];

export const escapes: Family = {
  name: 'escapes',
  memoryMb: 64,
  attacks: [...ofVm, ...ofVm2, ...ofIsolates, ...ofNode],
};
