import { AppError, type ListLibraryUsages, type ReplyOf } from '@weir/contracts';
import type { CodeNode, LibraryNode, Published } from '../revisions/nodes.js';

/** Importers that a message names. The others are only counted. */
const NAMED_MAX = 10;

/** A library cannot be deleted while published code imports it (ruling 9). */
export function assertUnused(library: LibraryNode, { transformations, libraries }: Published): void {
  const imports = (node: { imports: readonly string[] }) => node.imports.includes(library.importName);
  const users = [
    ...transformations.filter(imports).map(({ name }) => `transformation ${name}`),
    ...libraries.filter(imports).map(({ name }) => `library ${name}`),
  ];
  if (users.length === 0) return;
  const others = users.length > NAMED_MAX ? ` and ${users.length - NAMED_MAX} more` : '';
  throw new AppError(
    'conflict',
    `library ${library.name} is imported by ${users.slice(0, NAMED_MAX).join(', ')}${others}: ` +
      'publish them without this import, or delete them first',
  );
}

type Usages = ReplyOf<typeof ListLibraryUsages>;

/** Usages in one answer, so that it fits one message. */
const USAGES_MAX = 1_000;

/**
 * Published code that runs the library, directly or through other libraries. Transformations come first, then order of creation.
 */
export function usagesOf(library: LibraryNode, { transformations, libraries }: Published): Usages {
  const reaching = new Set([library.importName]);
  for (let size = 0; size < reaching.size; ) {
    size = reaching.size;
    for (const { importName, imports } of libraries) {
      if (imports.some((name) => reaching.has(name))) reaching.add(importName);
    }
  }
  const used = (kind: Usages['usages'][number]['kind'], nodes: readonly CodeNode[]) =>
    nodes
      .filter(({ imports }) => imports.some((name) => reaching.has(name)))
      .map(({ id, name, versionId, imports }) => ({
        ...{ kind, id, name, versionId },
        direct: imports.includes(library.importName),
      }));
  const usages = [...used('transformation', transformations), ...used('library', libraries)];
  return { usages: usages.slice(0, USAGES_MAX), total: usages.length };
}
