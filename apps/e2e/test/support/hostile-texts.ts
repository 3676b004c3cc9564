import fc from 'fast-check';

/** Texts that YAML, file names, shells, references or our own separators could take for something else. */
const HOSTILE = [
  ...['true', 'null', '~', '12', '1e3', '0x1f', '2026-01-01', '- a', '# a', '&a', '*a', '!a', '%a', '@a', '`a`', '? a'],
  ...['a: b', '[a', '{a}', '<<', '"a', "it's", 'a\\b', 'a\nb', 'a\r\nb', 'a\tb', 'a\u2028b', 'a\u0085b', 'a\ufeffb'],
  ...[
    '../up',
    '/root',
    'C:\\x',
    'CON',
    'a/b',
    '.',
    '..',
    '.git',
    'ünï',
    'u\u0308ni',
    'a\u202eb',
    '👩‍👩‍👧',
    '名前',
    'ǅ',
  ],
  ...['My hook', 'my-hook', 'MY HOOK', 'a → b', 'b → c', 'a', 'b', 'c', 'PATH', 'toString', 'length', 'n'.repeat(256)],
  ...['{{ env.HOME }}', '{{! env.X }}', '{{!! file.x }}', '{{ event.path || default }}', '$HOME', '$(id)', '%PATH%'],
];
/** Names of variables that a shell or Weir itself gives a meaning. */
const VARIABLES = ['PATH', 'path', 'HOME', 'WEIR_URL', 'WEIR_TOKEN', 'NODE_OPTIONS', 'a.b', 'a-b', 'a_b', '-', '12'];
/** The server refuses text that PostgreSQL or UTF-8 cannot hold, so no workspace has it. */
const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0');

const hostile = fc.constantFrom(...HOSTILE);
export const hostileText = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), hostile).filter(isStorable);
export const hostileName = fc
  .oneof(hostile, hostileText)
  .map((text) => text.trim())
  .filter((text) => text !== '');
/** A key of a credential. */
export const hostileKey = fc
  .oneof(fc.stringMatching(/^[\w.-]{1,12}$/), fc.constantFrom(...VARIABLES))
  .filter((text) => text !== '.' && text !== '..');
/** A secret that a variable can hold. The mask of the API means "as it is". */
export const secretText = fc.oneof(hostile, hostileText).filter((text) => text !== '' && text !== '***');
/** Text within a comment of code. */
export const bodyText = fc.oneof(hostileText, fc.constant('\r\n \ufeff')).map((text) => text.replaceAll('*', ''));
export const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

const key = fc.oneof(hostile, fc.stringMatching(/^[a-z][\w. -]{0,8}$/));
const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
/** An object of settings of any form. */
export const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    ...[hostileText, number, fc.boolean(), fc.constant(null), tie('list'), tie('object')],
  ),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
})).object as fc.Arbitrary<Record<string, unknown>>;
