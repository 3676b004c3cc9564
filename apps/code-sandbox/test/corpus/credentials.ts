import { type Attack, attempt, each, eachAsync, type Family, NEVER } from './attack.js';

const SECRET = 'hunter2-and-more';
/** A key as customers store it: with line breaks. */
const KEY = '-----BEGIN KEY-----\nabc"def\n-----END KEY-----';
const WITH_SECRETS = {
  credentials: [
    { key: 'token', value: SECRET },
    { key: 'pem', value: KEY },
  ],
};
const said = (...logs: string[]) => ({ ...WITH_SECRETS, logs });
const OK = { output: { a: 1 } };

const attacks: Attack[] = [
  ['a credential in a log', each('log(getCredential("token")); return { a: 1 };'), OK, said('Log: ***')],
  [
    'a credential in an object in a log',
    each('log({ key: getCredential("pem") }, [getCredential("pem")]); return { a: 1 };'),
    OK,
    said('Log: {"key":"***"} ["***"]'),
  ],
  [
    'a credential as a key in a log',
    each('log({ [getCredential("pem")]: 1 }); return { a: 1 };'),
    OK,
    said('Log: {"***":1}'),
  ],
  [
    'a credential in an address in a log',
    each('log(new URL("https://a/?k=" + encodeURIComponent(getCredential("pem"))).href); return { a: 1 };'),
    OK,
    said('Log: https://a/?k=***'),
  ],
  [
    'a credential in an error',
    each('throw new Error(getCredential("token"));'),
    { failing: 'Error: ***' },
    WITH_SECRETS,
  ],
  [
    'a credential in a thrown object',
    each('throw { key: getCredential("pem") };'),
    { error: 'Error: thrown: {"key":"***"} (not an Error object)' },
    WITH_SECRETS,
  ],
  [
    'a credential at the end of what is shown',
    each('throw "x".repeat(4070) + getCredential("token");'),
    { error: `Error: thrown: ${'x'.repeat(4_070)}*** (not an` },
    WITH_SECRETS,
  ],
  [
    'a credential in an error at load',
    'export const transformEvent = (e) => e; throw new Error(getCredential("token"));',
    { failing: 'Error: ***' },
    WITH_SECRETS,
  ],
  [
    'a credential where an address is refused',
    eachAsync('log((await fetchV2("no " + getCredential("token")).catch((e) => e)).message); return { a: 1 };'),
    OK,
    said('Log: invalid url, no ***'),
  ],
  [
    'the key of all objects',
    attempt(
      'return getCredential("__proto__") ?? getCredential("constructor") ?? getCredential({ toString: () => "token" });',
    ),
    { output: { got: 'undefined' } },
    WITH_SECRETS,
  ],
  [
    'credentials of the prototype',
    each(
      'Object.prototype.key = "forged"; Object.prototype.value = "forged"; Array.prototype[2] = { key: "x", value: "y" }; return { a: getCredential("x") ?? "none", b: getCredential("forged") ?? "none" };',
    ),
    { output: { a: 'none', b: 'none' } },
    WITH_SECRETS,
  ],
  [
    'nothing as a key',
    each('getCredential();'),
    { failing: 'TypeError: Key should be valid and defined' },
    WITH_SECRETS,
  ],
  [
    'masks, after texts were replaced',
    each(
      'String.prototype.indexOf = () => -1; String.prototype.slice = () => "forged"; log(getCredential("token")); return { a: 1 };',
    ),
    OK,
    said('Log: ***'),
  ],
  ['a credential of another run', attempt('return getCredential("token");'), { output: { got: 'undefined' } }],
  [
    'a call that waits for ever on a credential',
    eachAsync('await { then() { getCredential("token"); } };'),
    NEVER,
    WITH_SECRETS,
  ],
];

export const credentials: Family = { name: 'credentials', memoryMb: 32, attacks };
