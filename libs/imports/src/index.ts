/**
 * How code imports libraries by name, how large it may be, and how a test shows what it returned. The server and the command line
 * agree, because both ask here.
 */
export { bundleSizeProblem, codeSizeProblem, type SizedBundle } from './code-size.js';
export {
  type Importable,
  type Importer,
  importNameOf,
  type Resolution,
  readImports,
  resolveImports,
} from './resolve-imports.js';
export { shownOutput } from './shown-output.js';
