import { BUNDLE_LIBRARIES_MAX } from '@weir/contracts';
import camelCase from 'lodash-es/camelCase.js';
import { NAME_CHARS_MAX } from '../rules/fields.js';
import type { LibraryNode } from './nodes.js';

/** Every library that code reaches, sorted by version id; or why it cannot run, in words for its author. */
export type Resolution = { libraries: LibraryNode[]; problem?: undefined } | { libraries: []; problem: string };

/** What imports: a library also has a name that others, and so a circle, can lead back to. */
export interface Importer {
  imports: readonly string[];
  importName?: string;
}

export type Importable = ReadonlyMap<string, LibraryNode>;

/** Follows imports through libraries that import libraries. */
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

/** People import what the list shows them, a library's display name; code knows it by its import name. Nothing longer has one. */
function missing(name: string, importable: Importable): string {
  const shown = name.slice(0, NAME_CHARS_MAX);
  const meant = shown === name ? camelCase(name) : '';
  const hint = importable.has(meant) ? ` Did you mean ${meant}?` : '';
  return `import from ${shown} failed. Module not found.${hint}`;
}

const circle = (names: string[]) =>
  `libraries import each other in a circle: ${names.join(' -> ')}. Remove one of these imports.`;
