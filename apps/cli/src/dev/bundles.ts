import { type Importer, importNameOf, readImports, resolveImports } from '@weir/imports';
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
  const libraries = files.filter(({ kind }) => kind === 'libraries').map(libraryOf);
  const importer: Importer = file.kind === 'libraries' ? libraryOf(file) : { imports: readImports(file.code) };
  const { libraries: reached, problem } = resolveImports(
    importer,
    new Map(libraries.map((one) => [one.importName, one])),
  );
  if (problem !== undefined) return { problem };
  const name = importer.importName ?? file.name;
  const parts = reached.map(({ importName, code }) => ({ importName, code }));
  return { bundle: { key: JSON.stringify([name, file.code, parts]), name, code: file.code, libraries: parts } };
}

/** Its imports are read once they are asked for: most code reaches a few libraries of the folder. */
const libraryOf = ({ name, code }: CodeFile) => ({
  importName: importNameOf(name),
  code,
  get imports() {
    return readImports(code);
  },
});
