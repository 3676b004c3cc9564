/** How code imports libraries by name. The server and the command line resolve imports alike, because both do it here. */
export { importNameOf } from './import-name.js';
export { readImports } from './read-imports.js';
export { type Importable, type Importer, type Resolution, resolveImports } from './resolve-imports.js';
