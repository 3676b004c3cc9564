import { type Attack, attempt, type Family, failed, GOT_NOTHING } from './attack.js';

const IDENTITY = 'export const transformEvent = (e) => e;';
const notFound = (specifier: string) => ({ error: `Error: import from ${specifier} failed. Module not found.` });
const NOT_SUPPORTED = failed('Error: Not supported');

const imports: Attack[] = [
  ['of the name of the code', `import * as me from 'my code'; ${IDENTITY}`, notFound('my code')],
  ['of the key of the code', `import * as me from 'weir:code'; ${IDENTITY}`, notFound('weir:code')],
  ['of the key of a library', `import 'library lib'; ${IDENTITY}`, notFound('library lib'), { libraries: { lib: '' } }],
  ['of nothing', `import ''; ${IDENTITY}`, notFound('')],
  ['of __proto__', `import '__proto__'; ${IDENTITY}`, notFound('__proto__')],
  ['of constructor', `import x from 'constructor'; ${IDENTITY}`, notFound('constructor')],
  ['of a name in another case', `import 'Lib'; ${IDENTITY}`, notFound('Lib'), { libraries: { lib: '' } }],
  ['of a name with a zero', `import 'lib\\0'; ${IDENTITY}`, { output: {} }, { libraries: { lib: '' } }],
  ['of half a character', `import '\\ud800'; ${IDENTITY}`, { failing: 'failed. Module not found.' }],
  ['of a blob', `import 'blob:nodedata:1'; ${IDENTITY}`, notFound('blob:nodedata:1')],
  ['of isolated-vm', `import ivm from 'isolated-vm'; ${IDENTITY}`, notFound('isolated-vm')],
  ['by way of a re-export', `export * from 'node:fs'; ${IDENTITY}`, notFound('node:fs')],
  ['with attributes', `import x from './canary' with { type: 'json' }; ${IDENTITY}`, { failing: './canary' }],
  [
    'with attributes that nobody knows',
    `import 'lib' with { what: 'ever' }; ${IDENTITY}`,
    { output: {} },
    { libraries: { lib: '' } },
  ],
  [
    'of a source phase',
    `import source x from 'lib'; ${IDENTITY}`,
    { failing: 'SyntaxError' },
    { libraries: { lib: '' } },
  ],
  ['deferred', `import defer * as x from 'lib'; ${IDENTITY}`, { failing: 'SyntaxError' }, { libraries: { lib: '' } }],
  [
    'of a name that the library lacks',
    `import { nothing } from 'lib'; ${IDENTITY}`,
    { failing: "SyntaxError: The requested module 'lib' does not provide an export named 'nothing'" },
    { libraries: { lib: '' } },
  ],
];

const later: Attack[] = [
  ['of a library', attempt("return import('lib');"), NOT_SUPPORTED, { libraries: { lib: '' } }],
  ['from code made of text', attempt(`return Function("return import('node:fs')")();`), NOT_SUPPORTED],
  ['from eval', attempt(`return (0, eval)("import('node:fs')");`), NOT_SUPPORTED],
  [
    'with options that are asked',
    attempt(
      "let asked = 0; try { await import('x', { get with() { asked += 1; } }); } catch {} return asked || undefined;",
    ),
    GOT_NOTHING,
  ],
  ['of a text that throws', attempt("return import({ toString() { throw new Error('text'); } });"), NOT_SUPPORTED],
  [
    'a thousand times',
    attempt(
      "const all = await Promise.allSettled(Array.from({ length: 1000 }, (_, i) => import('m' + i))); return all.find((each) => each.status === 'fulfilled');",
    ),
    GOT_NOTHING,
  ],
  [
    'of a property of import.meta',
    attempt('return import.meta.resolve ?? import.meta.dirname ?? import.meta.main;'),
    GOT_NOTHING,
  ],
];

const cycles: Attack[] = [
  [
    'a library of itself',
    `import 'a'; ${IDENTITY}`,
    { error: 'Error: libraries import each other in a circle: a -> a. Remove one of these imports.' },
    { libraries: { a: "import 'a';" } },
  ],
  [
    'two of each other',
    `import 'a'; ${IDENTITY}`,
    { error: 'Error: libraries import each other in a circle: a -> b -> a. Remove one of these imports.' },
    { libraries: { a: "import 'b';", b: "import 'a';" } },
  ],
  [
    'a library that waits for ever',
    `import 'a'; ${IDENTITY}`,
    'timeout',
    { libraries: { a: 'await new Promise(() => {});' } },
  ],
  ['a library that loops', `import 'a'; ${IDENTITY}`, 'timeout', { libraries: { a: 'for (;;);' } }],
  [
    'a library that changes JSON',
    `import 'a'; ${IDENTITY}`,
    { output: {} },
    { libraries: { a: 'JSON.stringify = () => \'{"forged":1}\';' } },
  ],
  [
    'a library that imports the driver',
    `import 'a'; ${IDENTITY}`,
    notFound('weir:driver'),
    { libraries: { a: "import 'weir:driver';" } },
  ],
  [
    'a library with the name of the driver',
    "import { begin } from 'weir:driver'; export const transformEvent = () => ({ a: begin() });",
    { output: { a: 'mine' } },
    { libraries: { 'weir:driver': "export const begin = () => 'mine';" } },
  ],
  [
    'a library with the key of the code',
    "import { transformEvent as other } from 'weir:code'; export const transformEvent = () => other();",
    { output: { a: 'mine' } },
    { libraries: { 'weir:code': "export const transformEvent = () => ({ a: 'mine' });" } },
  ],
  [
    'a library that is called __proto__',
    "import { a } from '__proto__'; export const transformEvent = () => ({ a });",
    { output: { a: 1 } },
    { libraries: { ['__proto__']: 'export const a = 1;' } },
  ],
  [
    'a library that does not parse',
    `import 'a'; ${IDENTITY}`,
    { failing: 'SyntaxError' },
    { libraries: { a: 'export const ;' } },
  ],
];

export const modules: Family = {
  name: 'modules',
  memoryMb: 48,
  attacks: [...imports, ...later, ...cycles],
};
