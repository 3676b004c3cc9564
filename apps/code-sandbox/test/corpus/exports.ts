import { type Attack, type Family } from './attack.js';

const IDENTITY = 'export const transformEvent = (e) => e;';
const NO_FUNCTION = { failing: 'Expected one of transformEvent,transformBatch. Found none' };

const exports: Attack[] = [
  ['no function', 'export const transformEvent = 5;', NO_FUNCTION],
  ['only by default', 'export default function transformEvent(e) { return e; }', NO_FUNCTION],
  [
    'both functions',
    'export const transformEvent = (e) => e, transformBatch = (e) => e;',
    { failing: 'export only one of them' },
  ],
  [
    'a function under another name',
    "const f = () => ({ a: 1 }); export { f as transformEvent, f as 'any text' };",
    { output: { a: 1 } },
  ],
  ['then, which would be awaited', `export const then = (done) => done({ forged: 1 }); ${IDENTITY}`, { output: {} }],
  [
    'names of the driver',
    `export const begin = 1, finish = () => 'forged', again = () => 'touched', logsJson = () => '["forged"]'; ${IDENTITY}`,
    { output: {} },
  ],
  [
    'a function from a library',
    "export { transformEvent } from 'lib';",
    { output: { a: 1 } },
    { libraries: { lib: 'export const transformEvent = () => ({ a: 1 });' } },
  ],
  [
    'a binding that is not ready',
    'export { transformEvent }; await null; let transformEvent = () => ({ a: 1 });',
    { output: { a: 1 } },
  ],
  [
    'a name twice',
    'export const transformEvent = 1; export { transformEvent };',
    { failing: "SyntaxError: Duplicate export of 'transformEvent'" },
  ],
];

const names: Attack[] = [
  [
    'a name with a line of a stack',
    "export const transformEvent = () => { throw new Error('x'); };",
    { failing: 'Error: x' },
    { name: 'a\n    at transformEvent (b:1:1)' },
  ],
  [
    'a name that is empty',
    "export const transformEvent = () => { throw new Error('x'); };",
    { failing: 'Error: x' },
    { name: '' },
  ],
  [
    'a name with a zero and half a character',
    "export const transformEvent = () => { throw new Error('x'); };",
    { failing: 'Error: x' },
    { name: '\0\ud800"' },
  ],
  [
    'a name of the driver',
    "export const transformEvent = () => { throw new Error('x'); };",
    { failing: 'Error: x' },
    { name: 'weir:driver' },
  ],
  [
    'a comment that names another source',
    "export const transformEvent = () => { throw new Error('x'); };\n//# sourceURL=/etc/passwd",
    { failing: 'Error: x' },
  ],
  ['a comment that names a source map', `${IDENTITY}\n//# sourceMappingURL=file:///etc/passwd`, { output: {} }],
];

export const exported: Family = { name: 'exports and names of modules', memoryMb: 48, attacks: [...exports, ...names] };
