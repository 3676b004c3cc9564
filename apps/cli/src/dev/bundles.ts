import {
  bundleSizeProblem,
  codeSizeProblem,
  type Importer,
  importNameOf,
  readImports,
  resolveImports,
} from '@weir/imports';
import type { CodeFile } from '../code/folder.js';

/** Code with every library that it reaches, as a server puts them together for a run. */
export interface Bundle {
  key: string;
  name: string;
  code: string;
  libraries: { importName: string; code: string }[];
}

/** A bundle, or why there is none, in the words of a server. */
export type Bundled = { bundle: Bundle; problem?: undefined } | { bundle?: undefined; problem: string };

/** Bundles a file. A library is checked under its import name, which an import in a circle can lead back to. */
export function bundleOf(file: CodeFile, files: readonly CodeFile[]): Bundled {
  const { code } = file;
  const importer: Importer = file.kind === 'libraries' ? libraryOf(file) : { imports: readImports(code) };
  const importable = files.filter(({ kind }) => kind === 'libraries').map(libraryOf);
  const resolved = resolveImports(importer, new Map(importable.map((one) => [one.importName, one])));
  const libraries = resolved.libraries.map((one) => ({ importName: one.importName, code: one.code }));
  const parts = { name: importer.importName ?? file.name, code, libraries };
  const problem = codeSizeProblem(code) ?? resolved.problem ?? bundleSizeProblem(parts);
  return problem === undefined ? { bundle: { key: JSON.stringify(parts), ...parts } } : { problem };
}

/** Its imports are read once they are asked for: most code reaches a few libraries of the folder. */
const libraryOf = ({ name, code }: CodeFile) => ({
  importName: importNameOf(name),
  code,
  get imports() {
    return readImports(code);
  },
});
