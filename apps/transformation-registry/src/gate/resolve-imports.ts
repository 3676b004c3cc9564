import { BUNDLE_LIBRARIES_MAX } from '@weir/contracts';
import camelCase from 'lodash-es/camelCase.js';
import type { LibraryNode } from '../revisions/nodes.js';
import { NAME_CHARS_MAX } from '../rules/fields.js';

/** Every library that the code reaches, sorted by version id, or a problem to report to its author. */
export type Resolution = { libraries: LibraryNode[]; problem?: undefined } | { libraries: []; problem: string };

/** An importer. A library also has an import name, through which a cycle can lead back to it. */
export interface Importer {
  imports: readonly string[];
  importName?: string;
}

export type Importable = ReadonlyMap<string, LibraryNode>;

/** Follows imports through libraries that import other libraries. */
export function resolveImports({ imports, importName }: Importer, importable: Importable): Resolution {
  const reached = new Map<string, LibraryNode>();
  const problem = follow(imports, importName === undefined ? [] : [importName], importable, reached);
  if (problem !== undefined) return { libraries: [], problem };
  return { libraries: [...reached.values()].sort((a, b) => (a.versionId < b.versionId ? -1 : 1)) };
}

function follow(
  imports: readonly string[],
  path: readonly string[],
  importable: Importable,
  reached: Map<string, LibraryNode>,
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
function missing(name: string, importable: Importable): string {
  const shown = name.slice(0, NAME_CHARS_MAX);
  const meant = shown === name ? camelCase(name) : '';
  const hint = importable.has(meant) ? ` Did you mean ${meant}?` : '';
  return `import from ${shown} failed. Module not found.${hint}`;
}

const circle = (names: string[]) =>
  `libraries import each other in a circle: ${names.join(' -> ')}. Remove one of these imports.`;
