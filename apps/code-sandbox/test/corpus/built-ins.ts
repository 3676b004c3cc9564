import { type Attack, attempt, each, eachAsync, type Family, failed, GOT_NOTHING } from './attack.js';

const ofWeir: Attack[] = [
  [
    'random values for bytes that are gone',
    each('const v = new Uint8Array(8); v.buffer.transfer(); return { n: crypto.getRandomValues(v).length };'),
    { failing: 'TypeError: Cannot perform Construct on a detached ArrayBuffer' },
  ],
  [
    'random values for a view that lies',
    each('return { a: crypto.getRandomValues(Object.create(Uint8Array.prototype)) };'),
    { failing: 'TypeError: ' },
  ],
  [
    'random values without end',
    each('crypto.getRandomValues(new Uint8Array(65537));'),
    { failing: 'RangeError: At most 65536 random bytes at a time' },
  ],
  [
    'random values of two runs of the maker',
    each(
      'const a = crypto.randomUUID(); String.prototype.charCodeAt = () => 0; return { same: a === crypto.randomUUID() };',
    ),
    { output: { same: false } },
  ],
  [
    'a place for an address that throws or changes',
    each(
      'let n = 0; const ip = { toString() { n += 1; throw new Error("asked"); } }; geolocation(ip).catch(() => {}); return { n };',
    ),
    { output: { n: 0 } },
  ],
  [
    'a place after the language was changed',
    attempt('String.prototype.split = () => { throw new Error("mine"); }; return geolocation("203.0.113.9");'),
    failed('Error: mine'),
  ],
  [
    'the secret behind random values',
    attempt(
      'let seen; const { charCodeAt } = String.prototype; String.prototype.charCodeAt = function (i) { if (/canary/i.test(this)) seen = String(this); return charCodeAt.call(this, i); }; crypto.randomUUID(); return seen;',
    ),
    GOT_NOTHING,
  ],
  [
    'a digest of what throws',
    attempt('return crypto.subtle.digest({ get name() { throw new Error("name"); } }, new Uint8Array(1));'),
    failed('Error: name'),
  ],
  [
    'a digest of bytes that are gone',
    attempt(
      'const b = new ArrayBuffer(8); b.transfer(); return (await crypto.subtle.digest("SHA-256", b)).byteLength === 32 ? undefined : 1;',
    ),
    failed('TypeError: Cannot perform Construct on a detached ArrayBuffer'),
  ],
  [
    'a digest whose tables are replaced',
    eachAsync(
      'Math.sqrt = Math.cbrt = () => 0; Uint32Array.from = () => new Uint32Array(64); return { a: sha256("a") === sha256("b") };',
    ),
    { failing: 'RangeError: Offset is outside the bounds of the DataView' },
  ],
  [
    'a text encoded into bytes that are gone',
    each(
      'const v = new Uint8Array(8); const text = { toString() { v.buffer.transfer(); return "abc"; } }; return new TextEncoder().encodeInto(text, v).written === 0 ? { a: 1 } : { a: 2 };',
    ),
    { output: { a: 1 } },
  ],
  [
    'a text encoded into what only looks like bytes',
    each('return { ...new TextEncoder().encodeInto("abc", { length: 9, set() { throw new Error("set"); } }) };'),
    { failing: 'Error: set' },
  ],
  [
    'bytes decoded that nobody can read',
    each('return { a: new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array([0xff])) };'),
    { failing: 'TypeError: The encoded data was not valid' },
  ],
  [
    'a label that is asked',
    each('return { a: new TextDecoder({ toString: () => "utf8" }).encoding, b: new TextDecoder("utf-16le") };'),
    { failing: 'RangeError: The "utf-16le" encoding is not supported' },
  ],
  [
    'a clone of bytes that are gone',
    each('const b = new ArrayBuffer(8); b.transfer(); return { n: structuredClone(b).byteLength };'),
    { failing: 'TypeError: ' },
  ],
  [
    'a clone of what says it is bytes',
    each('return { n: structuredClone({ [Symbol.toStringTag]: "ArrayBuffer" }) };'),
    { failing: 'TypeError: ' },
  ],
  [
    'a clone of a view with its own maker',
    each(
      'const v = new Uint8Array(8); v.constructor = function () { return { forged: 1 }; }; return structuredClone(v);',
    ),
    { output: { forged: 1 } },
  ],
  [
    'a clone of a map that grows while it is copied',
    each('const m = new Map([[{ get a() { m.set({}, 1); return 1; } }, 1]]); return { n: structuredClone(m).size };'),
    { output: { n: 1 } },
  ],
  [
    'a clone of a proxy without end',
    each(
      'const p = new Proxy({}, { ownKeys: () => ["a"], getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true }), get: (t, k) => (k === "a" ? new Proxy({}, p2) : undefined) }); const p2 = { ownKeys: () => ["a"], getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true }), get: (t, k) => (k === "a" ? new Proxy({}, p2) : undefined) }; return structuredClone(p);',
    ),
    { failing: 'RangeError: Maximum call stack size exceeded' },
  ],
  [
    'base64 of a text that changes',
    each('let n = 0; return { a: btoa({ toString: () => (n += 1) && "a".repeat(n) }) };'),
    { output: { a: 'YQ==' } },
  ],
  ['base64 without end', each('return { n: btoa("a".repeat(3e7)).length };'), 'timeout'],
  [
    'an address without end',
    each('return { a: new URL("http://a/" + "../".repeat(1e6)).href };'),
    { output: { a: 'http://a/' } },
  ],
  [
    'an address with a base that throws',
    each('return { a: new URL("x", { toString() { throw new Error("base"); } }) };'),
    { failing: 'Error: base' },
  ],
  [
    'an address as a number of hosts',
    each(
      'return { a: new URL("http://0x7f.1/").host, b: new URL("http://[::ffff:1.2.3.4]/").host, c: new URL("http://１２７.1/").host };',
    ),
    { output: { a: '127.0.0.1', b: '[::ffff:102:304]', c: '127.0.0.1' } },
  ],
  [
    'parameters from an iterator without end',
    each('return { n: new URLSearchParams({ *[Symbol.iterator]() { for (;;) yield ["a", "b"]; } }).size };'),
    'memory',
  ],
  [
    'parameters that change the address while they are read',
    each(
      'const u = new URL("http://a/?a=1&b=2"); for (const [k] of u.searchParams) u.searchParams.delete(k); return { a: u.search };',
    ),
    { output: { a: '?b=2' } },
  ],
];

export const builtIns: Family = { name: 'built-ins of Weir', memoryMb: 48, attacks: ofWeir };
