import { type Attack, each, type Family } from './attack.js';

const matching = (pattern: string, text: string) => each(`return { m: ${pattern}.test(${text}) };`);

const attacks: Attack[] = [
  ['nested quantifiers', matching('/^(a+)+$/', "'a'.repeat(40) + '!'"), 'timeout'],
  ['overlapping alternatives', matching('/^(a|a)*$/', "'a'.repeat(40) + '!'"), 'timeout'],
  ['alternatives of different length', matching('/^(a|aa)+$/', "'a'.repeat(60) + '!'"), 'timeout'],
  [
    'an optional part many times',
    matching("new RegExp('a?'.repeat(40) + 'a'.repeat(40))", "'a'.repeat(39)"),
    'timeout',
  ],
  ['words and blanks', matching('/^(\\w+\\s?)*$/', "'word '.repeat(12) + '!'"), 'timeout'],
  ['an address', matching('/^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}$/', "'a'.repeat(40)"), 'timeout'],
  ['a back reference', matching('/^(?:(a+)\\1?)+$/', "'a'.repeat(40) + '!'"), 'timeout'],
  ['a look-ahead', matching('/^(?=(a+)+$)a*!/', "'a'.repeat(40) + '?'"), 'timeout'],
  ['mixed classes', matching('/^(([a-z])+.)+[A-Z]([a-z])+$/', "'a'.repeat(60)"), 'timeout'],
  ['in replace', each("return { m: ('a'.repeat(40) + '!').replace(/^(a+)+$/, '') };"), 'timeout'],
  ['in split', each("return { m: ('a'.repeat(40) + '!').split(/(a+)+$/) };"), 'timeout'],
  ['in matchAll', each("return { m: [...('a'.repeat(40) + '!').matchAll(/(a+)+$/g)] };"), 'timeout'],
  ['with unicode sets', matching('/^[\\p{L}--[b]]*(\\p{L}+)+$/v', "'a'.repeat(40) + '!'"), 'timeout'],
  ['polynomial, on long text', matching('/a*a*a*a*b/', "'a'.repeat(5000)"), 'timeout'],
  [
    'a pattern that is huge when written out',
    each("return { m: new RegExp('(?:(?:a{9999}){9999}){9999}').test('a') };"),
    { output: { m: false } },
  ],
  [
    'a pattern too deep',
    each("new RegExp('('.repeat(1e5) + ')'.repeat(1e5)).test('a');"),
    { error: `SyntaxError: Invalid regular expression: /`.padEnd(4_096, '(') },
  ],
];

export const regex: Family = { name: 'regex bombs', memoryMb: 64, attacks };
