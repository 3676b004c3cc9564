import { BUNDLE_LIBRARIES_MAX, NAME_CHARS_MAX } from '@weir/contracts';
import { type Import, parse } from 'es-module-lexer/js';
import camelCase from 'lodash-es/camelCase.js';

/** Every library that the code reaches, in the order in which imports lead to it, or a problem to report to its author. */
export type Resolution<Library> = { libraries: Library[]; problem?: undefined } | { libraries: []; problem: string };

/** An importer. A library also has an import name, through which a circle can lead back to it. */
export interface Importer {
  readonly imports: readonly string[];
  readonly importName?: string;
}

/** Libraries by import name. */
export type Importable<Library extends Importer> = ReadonlyMap<string, Library>;

/** Follows imports through libraries that import other libraries. */
export function resolveImports<Library extends Importer>(
  { imports, importName }: Importer,
  importable: Importable<Library>,
): Resolution<Library> {
  const reached = new Map<string, Library>();
  const problem = follow(imports, importName === undefined ? [] : [importName], importable, reached);
  return problem === undefined ? { libraries: [...reached.values()] } : { libraries: [], problem };
}

function follow<Library extends Importer>(
  imports: readonly string[],
  path: readonly string[],
  importable: Importable<Library>,
  reached: Map<string, Library>,
): string | undefined {
  for (const name of imports) {
    if (path.includes(name)) return circle([...path.slice(path.indexOf(name)), name]);
    if (reached.has(name)) continue;
    const library = importable.get(name);
    if (!library) return missing(name, importable);
    reached.set(name, library);
    if (reached.size > BUNDLE_LIBRARIES_MAX)
      return `more than ${BUNDLE_LIBRARIES_MAX} libraries are imported. Merge some.`;
    const problem = follow(library.imports, [...path, name], importable, reached);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Suggests the import name if code imports a library by its display name. A longer text cannot be a name. */
function missing(name: string, importable: ReadonlyMap<string, unknown>): string {
  const shown = name.slice(0, NAME_CHARS_MAX);
  const meant = shown === name ? importNameOf(name) : '';
  const hint = importable.has(meant) ? ` Did you mean ${meant}?` : '';
  return `import from ${shown} failed. Module not found.${hint}`;
}

const circle = (names: string[]) =>
  `libraries import each other in a circle: ${names.join(' -> ')}. Remove one of these imports.`;

/**
 * Names that JavaScript imports statically, each once, in order of appearance. Executes nothing. Code that does not parse imports
 * nothing, and running it reports the syntax error.
 */
export function readImports(code: string): string[] {
  return [
    ...new Set(importsOf(code).flatMap(({ type, specifier }) => (STATIC.has(type) && specifier ? [specifier] : []))),
  ];
}

const STATIC: ReadonlySet<string> = new Set(['static', 'reexport-star']);

function importsOf(code: string): readonly Import[] {
  try {
    return parse(code)[0];
  } catch {
    return [];
  }
}

/** The name by which code imports a library: lodash's camelCase of its name, as real clients compute it (ruling 7). */
export const importNameOf = (libraryName: string): string => camelCase(libraryName);
