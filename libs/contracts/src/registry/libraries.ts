import { z } from 'zod';
import { defineCall } from '../call.js';
import { Ksuid } from '../ids.js';
import { by } from '../regulation/audit.js';
import { Text } from '../text.js';
import {
  BasedOn,
  CODE,
  exampleLibrary,
  exampleLibraryRevision,
  exampleOne,
  exampleVersions,
  ID,
  Library,
  LibraryRevision,
  VERSION,
  WORKSPACE,
} from './objects.js';
import { ifMatch, Language, one, page, reach, status, uniqueName, versions } from './requests.js';

const WrittenLibrary = Library.extend(BasedOn.shape);
export type WrittenLibrary = z.output<typeof WrittenLibrary>;

export const CreateLibrary = defineCall({
  subject: 'registry.library.create.v1',
  request: z.object({
    workspaceId: Ksuid,
    createdBy: Text,
    name: Text,
    code: Text,
    description: Text.optional(),
    language: Language.optional(),
    externalId: Text.optional(),
    uniqueName,
    publish: z.boolean(),
    ...reach,
  }),
  reply: Library,
  deadlineMs: 20_000,
  example: {
    request: { workspaceId: WORKSPACE, createdBy: 'a@example.com', name: 'Keep all', code: CODE, publish: true },
    reply: exampleLibrary,
  },
});

export const UpdateLibrary = defineCall({
  subject: 'registry.library.update.v1',
  request: z.object({
    ...one,
    createdBy: Text,
    name: Text.optional(),
    code: Text.optional(),
    description: Text.optional(),
    language: Language.optional(),
    publish: z.boolean(),
    ...reach,
    ifMatch,
  }),
  reply: WrittenLibrary,
  deadlineMs: 20_000,
  example: { request: { ...exampleOne, createdBy: 'a@example.com', publish: false }, reply: exampleLibrary },
});

export const ListLibraries = defineCall({
  subject: 'registry.library.list.v1',
  request: z.object({ workspaceId: Ksuid, ...status, ...page }),
  reply: z.object({ libraries: z.array(Library), next: z.string().optional() }),
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE }, reply: { libraries: [exampleLibrary] } },
});

export const GetLibrary = defineCall({
  subject: 'registry.library.get.v1',
  request: z.object({ ...one, ...status }),
  reply: Library,
  deadlineMs: 5_000,
  example: { request: exampleOne, reply: exampleLibrary },
});

/** `conflict` while a published transformation imports it (ruling 9). */
export const DeleteLibrary = defineCall({
  subject: 'registry.library.delete.v1',
  request: z.object({ ...one, ...status, ifMatch, ...by }),
  reply: z.object({}),
  deadlineMs: 5_000,
  example: { request: exampleOne, reply: {} },
});

/** Lists published code that runs the library. `direct` means that it imports the library itself and not through another one. */
export const ListLibraryUsages = defineCall({
  subject: 'registry.library.list-usages.v1',
  request: z.object(one),
  reply: z.object({
    usages: z.array(
      z.object({
        kind: z.enum(['transformation', 'library']),
        id: Ksuid,
        name: z.string(),
        versionId: Ksuid,
        direct: z.boolean(),
      }),
    ),
    /** Total count. `usages` shows the first thousand. */
    total: z.number().int(),
  }),
  deadlineMs: 5_000,
  example: {
    request: exampleOne,
    reply: {
      usages: [{ kind: 'transformation', id: ID, name: 'Keep all', versionId: VERSION, direct: true }],
      total: 1,
    },
  },
});

export const ListLibraryVersions = defineCall({
  subject: 'registry.library.list-versions.v1',
  request: z.object(versions),
  reply: z.object({ versions: z.array(LibraryRevision), next: z.string().optional() }),
  deadlineMs: 5_000,
  example: { request: exampleVersions, reply: { versions: [exampleLibraryRevision] } },
});

export const GetLibraryVersion = defineCall({
  subject: 'registry.library.get-version.v1',
  request: z.object({ ...one, versionId: Ksuid }),
  reply: LibraryRevision,
  deadlineMs: 5_000,
  example: { request: { ...exampleOne, versionId: VERSION }, reply: exampleLibraryRevision },
});
