import type { LibraryNode } from '../gate/nodes.js';
import type { Kind, RevisionRow } from '../revisions/kind.js';
import { nullable } from '../rules/nullable.js';

export interface LibraryRow extends RevisionRow {
  import_name: string;
}

/** A library's names never change, because code imports it by them (ruling 7). */
export const LIBRARY: Kind<LibraryRow, LibraryNode, { importName: string }, object> = {
  what: 'library',
  table: 'libraries',
  revisions: 'library_revisions',
  published: 'published_libraries',
  key: 'library_id',
  naming: ['e.name', 'e.import_name'],
  columns: [],
  pointed: ['import_name'],
  node: ({ id, version_id: versionId, name, import_name: importName, external_id, imports }) => ({
    ...{ id, versionId, name, importName, imports },
    ...nullable('externalId', external_id),
  }),
  own: ({ import_name }) => ({ importName: import_name }),
  live: () => ({}),
};
