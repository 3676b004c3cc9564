import { type Attack, attempt, each, eachAsync, type Family, failed } from './attack.js';

const allowed = { allowFetch: true };
const refused = (message: string) => failed(`not an Error: ${message}`);
const call = (argument: string) => attempt(`return (await fetchV2(${argument})).body;`);
const OK = { output: { a: 1 } };

/** The supervisor refuses every call that reaches it, as `fetch failed`. */
const addresses: Attack[] = [
  ['no address', call(''), refused('fetch url is required'), allowed],
  ['an address that throws', call('{ toString() { throw new Error("asked"); } }'), refused('asked'), allowed],
  [
    'an address that changes',
    eachAsync(
      'let n = 0; const url = { toString: () => ["https://example.com/", "file:///etc/passwd"][n++] }; return { a: await fetch(url) };',
    ),
    { output: { a: 'ERROR' } },
    allowed,
  ],
  ['a symbol as address', call('Symbol("s")'), refused('invalid url, Symbol(s)'), allowed],
  [
    'an address object whose text is replaced',
    eachAsync(
      'URL.prototype.toString = () => "file:///etc/passwd"; return { a: (await fetchV2(new URL("https://example.com/")).catch((e) => e)).message };',
    ),
    { output: { a: 'invalid protocol, only http and https are supported' } },
    allowed,
  ],
  ['an address with a user', call('"https://user:pass@example.com/"'), refused('fetch failed'), allowed],
  [
    'an address of data',
    call('"data:text/plain,x"'),
    refused('invalid protocol, only http and https are supported'),
    allowed,
  ],
  [
    'an address of code',
    call('"javascript:alert(1)"'),
    refused('invalid protocol, only http and https are supported'),
    allowed,
  ],
  [
    'an inner address, as decimal digits',
    call('"http://2130706433/"'),
    refused('blocked request to non-public address: 127.0.0.1'),
  ],
  [
    'an inner address, of version six',
    call('"http://[fd00::1]/"'),
    refused('blocked request to non-public address: fd00::1'),
  ],
  [
    'an inner address, mapped',
    call('"http://[::ffff:10.0.0.1]/"'),
    refused('blocked request to non-public address: ::ffff:a00:1'),
  ],
];

const options: Attack[] = [
  [
    'a method that is asked',
    call('"https://example.com", { get method() { throw new Error("method"); } }'),
    refused('method'),
    allowed,
  ],
  [
    'a method with line breaks',
    call('"https://example.com", { method: "GET / HTTP/1.1\\r\\nhost: inner" }'),
    refused('fetch failed'),
    allowed,
  ],
  [
    'headers without end',
    call('"https://example.com", { headers: { *[Symbol.iterator]() { for (;;) yield ["a", "b"]; } } }'),
    'memory',
    allowed,
  ],
  [
    'headers that are no pairs',
    call('"https://example.com", { headers: [1, null] }'),
    refused('object null is not iterable (cannot read property Symbol(Symbol.iterator))'),
    allowed,
  ],
  [
    'headers of a proxy',
    call(
      '"https://example.com", { headers: new Proxy({}, { has: () => false, ownKeys() { throw new Error("keys"); } }) }',
    ),
    refused('keys'),
    allowed,
  ],
  [
    'a header that is called __proto__',
    call('"https://example.com", { headers: JSON.parse(\'{"__proto__": "x"}\') }'),
    refused('fetch failed'),
    allowed,
  ],
  [
    'a body that is asked',
    call('"https://example.com", { method: "POST", body: { toString() { throw new Error("body"); } } }'),
    refused('body'),
    allowed,
  ],
  [
    'a body without end',
    call('"https://example.com", { body: "x".repeat(2 ** 18) }'),
    refused('The request is larger than 262144 bytes'),
    allowed,
  ],
  [
    'a body of half characters',
    call('"https://example.com", { method: "POST", body: "\\ud800".repeat(10) }'),
    refused('fetch failed'),
    allowed,
  ],
  [
    'options that change the language',
    attempt(
      'await fetchV2("https://example.com", { get headers() { JSON.stringify = () => "[]"; Array.from = () => []; Object.entries = () => []; return { a: "b" }; } });',
    ),
    refused('fetch failed'),
    allowed,
  ],
  [
    'toJSON of all, for what is sent',
    attempt(
      'Object.prototype.toJSON = String.prototype.toJSON = () => ({ task: 7, url: "file:///etc/passwd" }); try { await fetchV2("https://example.com"); } finally { delete Object.prototype.toJSON; }',
    ),
    refused('fetch failed'),
    allowed,
  ],
];

const many: Attack[] = [
  [
    'eleven calls',
    eachAsync(
      'const all = await Promise.all(Array.from({ length: 11 }, () => fetchV2("https://example.com").catch((e) => e.message))); return { a: all.filter((m) => m.includes("10 times")).length };',
    ),
    { output: { a: 1 } },
    allowed,
  ],
  [
    'a call from a call, without end',
    eachAsync(
      'const f = () => fetchV2("https://example.com").catch((e) => (e.message.includes("10 times") ? { a: 1 } : f())); return f();',
    ),
    OK,
    allowed,
  ],
  ['a call that nobody awaits', each('fetch("https://example.com"); return { a: 1 };'), OK, allowed],
  [
    'an answer that throws for all',
    eachAsync(
      'Promise.prototype.then = () => { throw new Error("then"); }; return { a: await fetch("https://example.com") };',
    ),
    { output: { a: 'ERROR' } },
    allowed,
  ],
  [
    'calls at module level',
    'const a = await fetch("https://example.com"); export const transformEvent = () => ({ a });',
    'timeout',
    allowed,
  ],
  [
    'a call with no stack left',
    each(
      'let tries = 0; const f = () => { try { f(); } catch { if (tries++ < 9) fetch("https://example.com"); throw 1; } }; try { f(); } catch {} return { a: 1 };',
    ),
    OK,
    allowed,
  ],
  [
    'the function of an answer, kept',
    eachAsync(
      'let keep; const P = Promise; globalThis.Promise = function (run) { return new P((done) => { keep = done; run(done); }); }; const a = await fetch("https://example.com"); return { a, kept: typeof keep };',
    ),
    { output: { a: 'ERROR', kept: 'undefined' } },
    allowed,
  ],
  [
    'a setter for the place of an answer',
    eachAsync(
      'for (const k of ["1", "2", "call", "response", "error"]) Object.defineProperty(Object.prototype, k, { set() { throw 1; }, get: () => "forged", configurable: true }); const a = await fetch("https://example.com"); return { __proto__: null, a };',
    ),
    { output: { a: 'ERROR' } },
    allowed,
  ],
];

export const calls: Family = {
  name: 'fetch and credentials',
  memoryMb: 32,
  attacks: [...addresses, ...options, ...many],
};
