/** How code imports libraries by name, and how large it may be. The server and the command line agree, because both ask here. */
export { bundleSizeProblem, codeSizeProblem, type SizedBundle } from './code-size.js';
export { importNameOf } from './import-name.js';
export { readImports } from './read-imports.js';
export { type Importable, type Importer, type Resolution, resolveImports } from './resolve-imports.js';
