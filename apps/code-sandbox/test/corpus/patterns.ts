import { type Attack, each, type Family } from './attack.js';

const engine: Attack[] = [
  ['a look-behind that backtracks', each("return { m: /(?<=^(a+)+)!/.test('b' + 'a'.repeat(40) + '!') };"), 'timeout'],
  [
    'a negative look-behind on long text',
    each("return { m: /(?<!a+b)c/.test('a'.repeat(1e6)) };"),
    { output: { m: false } },
  ],
  ['a lazy quantifier that backtracks', each("return { m: /^(a+?)+?$/.test('a'.repeat(40) + '!') };"), 'timeout'],
  ['sets of sets', each("return { m: /^[[a-z]&&[aeiou]--[e]]+$/v.test('aio') };"), { failing: 'SyntaxError' }],
  ['sets of texts', each("return { m: /^[\\q{abc|a|ab}]+$/v.test('abcabaab') };"), { output: { m: true } }],
  ['flags within', each("return { m: /^(?i:a)B$/.test('AB') };"), { output: { m: true } }],
  ['names twice', each("return { ...('b'.match(/(?<n>a)|(?<n>b)/).groups) };"), { output: { n: 'b' } }],
  [
    'a name of the prototype',
    each("return { ...('a'.match(/(?<__proto__>a)/).groups) };"),
    { output: JSON.parse('{"__proto__":"a"}') },
  ],
  [
    'properties that nobody knows',
    each("new RegExp('\\\\p{Secret}', 'u');"),
    { failing: 'SyntaxError: Invalid regular expression: /\\p{Secret}/u: Invalid property name' },
  ],
  ['a quantifier beyond', each("return { m: new RegExp('a{0,99999999999}').test('a') };"), { output: { m: true } }],
  [
    'alternatives without end',
    each("return { m: new RegExp(Array.from({ length: 2e5 }, (_, i) => 'k' + i).join('|')).test('z') };"),
    { output: { m: false } },
  ],
  ['groups without end', each("return { n: new RegExp('()'.repeat(3e3)).exec('').length };"), { output: { n: 3_001 } }],
  ['more groups than there can be', each("new RegExp('()'.repeat(1 << 24));"), { failing: 'SyntaxError: ' }],
  [
    'a class of every letter',
    each(
      "return { m: new RegExp('[' + Array.from({ length: 6e4 }, (_, i) => String.fromCharCode(i + 256)).join('').replace(/[\\]\\\\^-]/g, '') + ']', 'i').test('!') };",
    ),
    { output: { m: false } },
  ],
  ['matches without end', each("return { n: [...'a'.repeat(3e7).matchAll(/a/g)].length };"), 'memory'],
  [
    'empty matches of a long text',
    each("return { n: 'a'.repeat(1e6).replace(/(?:)/gu, '-').length };"),
    { output: { n: 2_000_001 } },
  ],
  [
    'a replacement that names what is not there',
    each("return { a: 'abc'.replace(/(?<x>b)/, \"$1$2$<x>$<y>$`$'\") };"),
    { output: { a: 'ab$2bacc' } },
  ],
];

/** Code that a pattern calls while it is matched. */
const hooks: Attack[] = [
  [
    'exec that gives no match and no end',
    each("const r = /a/g; r.exec = () => ({ length: 1, 0: '' }); return { a: 'b'.replace(r, 'c') };"),
    'timeout',
  ],
  ['exec that gives a text', each("const r = /a/; r.exec = () => 'a'; r.test('a');"), { failing: 'TypeError: ' }],
  [
    'flags that are asked',
    each(
      "const r = /a/; Object.defineProperty(r, 'flags', { get() { throw new Error('flags'); } }); 'a'.replaceAll(r, 'b');",
    ),
    { failing: 'Error: flags' },
  ],
  [
    'a position that throws',
    each("const r = /a/g; r.lastIndex = { valueOf() { throw new Error('position'); } }; r.test('a');"),
    { failing: 'Error: position' },
  ],
  [
    'a position that goes back',
    each("const r = /a/y; r.lastIndex = { valueOf() { r.compile('b'); return 0; } }; return { m: r.test('b') };"),
    { output: { m: true } },
  ],
  [
    'a pattern that is compiled anew while it matches',
    each("const r = /a/g; return { a: 'aaa'.replace(r, () => { r.compile('b'); return 'c'; }) };"),
    { output: { a: 'ccc' } },
  ],
  [
    'a species that is no pattern',
    each(
      "const r = /a/; r.constructor = { [Symbol.species]: function () { return { exec: () => null }; } }; return { a: 'bab'.split(r) };",
    ),
    { output: { a: ['bab'] } },
  ],
  [
    'a match of its own',
    each("return { a: 'x'.match({ [Symbol.match]: () => [{ b: 1 }] }) };"),
    { output: { a: [{ b: 1 }] } },
  ],
  [
    'a split that calls itself',
    each("const r = { [Symbol.split]: (s) => s.split(r) }; 'a'.split(r);"),
    { failing: 'RangeError: Maximum call stack size exceeded' },
  ],
  [
    'what the last match left',
    each("/secret/.exec('the secret'); return { a: RegExp.lastMatch, b: RegExp['$`'], c: RegExp.$1 };"),
    { output: { a: 'secret', b: 'the ', c: '' } },
  ],
  [
    'what an earlier run left',
    each('return { a: RegExp.lastMatch + RegExp.leftContext + RegExp.rightContext + RegExp.input };'),
    { output: { a: '' } },
  ],
  [
    'patterns replaced before an address is read',
    each(
      "RegExp.prototype.exec = () => null; String.prototype.replace = () => 'file:///etc/passwd'; return { a: String(new URL('http://a/')) };",
    ),
    { failing: 'TypeError: Invalid URL' },
  ],
];

export const patterns: Family = { name: 'patterns and their hooks', memoryMb: 64, attacks: [...engine, ...hooks] };
