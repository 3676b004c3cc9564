import { type Importable, type Importer, type Resolution, resolveImports } from '@weir/imports';
import type { LibraryNode } from '../revisions/nodes.js';

export type ImportableNodes = Importable<LibraryNode>;
export type ResolvedNodes = Resolution<LibraryNode>;

/** Every library that the code reaches, sorted by version id: releases with the same libraries are the same code. */
export function resolveLibraries(importer: Importer, importable: ImportableNodes): ResolvedNodes {
  const resolved = resolveImports(importer, importable);
  resolved.libraries.sort((a, b) => (a.versionId < b.versionId ? -1 : 1));
  return resolved;
}
