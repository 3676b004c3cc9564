import { BUNDLE_LIBRARIES_MAX, NAME_CHARS_MAX } from '@weir/contracts';
import { importNameOf } from './import-name.js';

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

/** Suggests the import name if somebody imports a library by its display name. A longer text cannot be a name. */
function missing(name: string, importable: ReadonlyMap<string, unknown>): string {
  const shown = name.slice(0, NAME_CHARS_MAX);
  const meant = shown === name ? importNameOf(name) : '';
  const hint = importable.has(meant) ? ` Did you mean ${meant}?` : '';
  return `import from ${shown} failed. Module not found.${hint}`;
}

const circle = (names: string[]) =>
  `libraries import each other in a circle: ${names.join(' -> ')}. Remove one of these imports.`;
