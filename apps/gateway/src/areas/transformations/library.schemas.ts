import { BasedOn, Library, LibraryRevision } from '@weir/contracts';
import { z } from 'zod';
import { pathId } from '../../http/fields.js';
import type { RevisionWire } from './revision.routes.js';
import { NewObjectBody, PublishQuery, RevisionBody } from './revision.schemas.js';

const params = z.object({ id: pathId('library') });
const workspace = z.object({ id: z.string(), name: z.string() });
/** Includes the workspace that spec 2.2 shows (ruling 2). */
const ShownLibrary = Library.extend({ workspace });
const ShownLibraryRevision = LibraryRevision.extend({ workspace });

export const LIBRARY = {
  what: 'library',
  all: 'libraries',
  params,
  versionParams: params.extend({ versionId: pathId('version') }),
  writeQuery: PublishQuery,
  createBody: NewObjectBody,
  updateBody: RevisionBody,
  written: ShownLibrary.extend(BasedOn.shape),
  live: ShownLibrary,
  list: z.object({ libraries: z.array(ShownLibrary) }),
  revision: ShownLibraryRevision,
  versionList: z.object({ libraryVersions: z.array(ShownLibraryRevision) }),
  updateNote: 'The name stays',
  deleteNote: ', unless a published transformation imports it',
  deleteErrors: ['conflict'],
} as const satisfies RevisionWire;
