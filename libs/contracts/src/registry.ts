import { z } from 'zod';
import { defineCall } from './call.js';
import { CREDENTIALS_MAX } from './credentials.js';
import { ValidationOutput } from './evidence.js';
import { JsonObject, Ksuid, Timestamp } from './ids.js';
import { BUNDLE_LIBRARIES_MAX, PUBLISH_ITEMS_MAX, REPLAY_SAMPLES_MAX, VERSIONS_COUNT_MAX } from './limits.js';
import { CodeBundle, UserCredential } from './sandbox.js';
import { Text } from './text.js';

const WORKSPACE = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const ID = '0ujzPyRiIAffKhBux4PvQdDqMHY';
const VERSION = '0uk1Hbc9dQ9pxyTqJ93IUrfhdGq';
const AT = '2026-01-01T00:00:00.000Z';
const CODE = 'export function transformEvent(event) { return event; }';

/** Tags in one condition. Clients know one or two. */
const ETAGS_MAX = 20;
const Language = Text.max(32);
const Events = z.array(JsonObject).max(1_000);

/** Records that a version was rolled back because its code failed on too many of its first events. */
const RolledBack = z.object({
  to: Ksuid.meta({ description: 'The version that was published again' }),
  errorRate: z.number().meta({ description: 'That was reached' }),
  events: z.int(),
  errors: z.int(),
  at: Timestamp,
});

const revisionFields = {
  id: Ksuid,
  versionId: Ksuid,
  name: z.string(),
  description: z.string(),
  code: z.string(),
  language: z.string(),
  workspaceId: Ksuid,
  externalId: z.string().optional(),
  /** Commit id from the latest publish of this revision that gave one. */
  commitId: z.string().optional(),
  createdBy: z.string().optional(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};
/** `imports` lists the import names of the libraries that the code uses. `codeVersion` is always "1" (ruling 3). */
const transformationFields = {
  ...revisionFields,
  codeVersion: z.literal('1'),
  imports: z.array(z.string()),
  rolledBack: RolledBack.optional(),
};
const libraryFields = { ...revisionFields, importName: z.string() };

/** A transformation as spec 2.1 shows it. `destinations` holds ids (ruling 1). */
export const Transformation = z.object({ ...transformationFields, destinations: z.array(Ksuid) });
export type Transformation = z.output<typeof Transformation>;
export const TransformationRevision = z.object({ ...transformationFields, isPublished: z.boolean() });
export type TransformationRevision = z.output<typeof TransformationRevision>;
export const Library = z.object(libraryFields);
export type Library = z.output<typeof Library>;
export const LibraryRevision = z.object({ ...libraryFields, isPublished: z.boolean() });
export type LibraryRevision = z.output<typeof LibraryRevision>;

/** Identifies a state of the object. An equal tag means that nothing has changed. Lists have no tags. */
const etag = z.string().optional();
const TaggedTransformation = Transformation.extend({ etag });
export type TaggedTransformation = z.output<typeof TaggedTransformation>;
const TaggedTransformationRevision = TransformationRevision.extend({ etag });
export type TaggedTransformationRevision = z.output<typeof TaggedTransformationRevision>;
const TaggedLibrary = Library.extend({ etag });
export type TaggedLibrary = z.output<typeof TaggedLibrary>;
const TaggedLibraryRevision = LibraryRevision.extend({ etag });
export type TaggedLibraryRevision = z.output<typeof TaggedLibraryRevision>;

/** One of these tags must be current, otherwise the call fails with `precondition_failed`. Without tags the last write wins. */
const ifMatch = z.array(Text).max(ETAGS_MAX).optional();

/** Credentials and network access for code under test. The gateway supplies them, because the registry has no key or settings. */
export const CodeReach = z.object({
  /** Opened credentials for `getCredential`. */
  credentials: z.array(UserCredential).max(CREDENTIALS_MAX).optional(),
  /** Whether `fetch` and `fetchV2` reach the network. Defaults to no. */
  allowFetch: z.boolean().optional(),
});
export type CodeReach = z.output<typeof CodeReach>;
const reach = CodeReach.shape;

/** Real events to compare the live version with the new one. They do not affect whether the tests pass. */
const samples = z.array(JsonObject).max(REPLAY_SAMPLES_MAX).optional();

const exampleRevision = {
  id: ID,
  versionId: VERSION,
  name: 'Keep all',
  description: '',
  code: CODE,
  language: 'javascript',
  workspaceId: WORKSPACE,
  createdAt: AT,
  updatedAt: AT,
};
const exampleTransformation = {
  ...exampleRevision,
  codeVersion: '1' as const,
  imports: [],
  destinations: [],
};
const exampleLibrary = { ...exampleRevision, importName: 'keepAll' };
const { destinations: _, ...exampleTransformationRevision } = { ...exampleTransformation, isPublished: true };
const exampleLibraryRevision = { ...exampleLibrary, isPublished: true };

/** Lists travel in pages below the message limit. The caller repeats the call with `after` until `next` is missing. */
const page = { after: Text.optional() };
const one = { workspaceId: Ksuid, id: Ksuid };
const versions = {
  ...one,
  count: z.number().int().min(1).max(VERSIONS_COUNT_MAX),
  orderBy: z.enum(['ASC', 'DESC']),
  ...page,
};
const exampleOne = { workspaceId: WORKSPACE, id: ID };
const exampleVersions = { ...exampleOne, count: 5, orderBy: 'ASC' as const };

/**
 * The version that supplies the values which an update omits. This is the latest version. A publish without code after a rollback
 * uses the live one (ruling 33).
 */
export const BasedOn = z.object({ basedOn: Ksuid.optional() });
/** Includes the evidence when the request came with samples. */
const WrittenTransformation = TaggedTransformation.extend({
  validationOutput: ValidationOutput.optional(),
  ...BasedOn.shape,
});
export type WrittenTransformation = z.output<typeof WrittenTransformation>;
const WrittenLibrary = TaggedLibrary.extend(BasedOn.shape);
export type WrittenLibrary = z.output<typeof WrittenLibrary>;

export const CreateTransformation = defineCall({
  subject: 'registry.transformation.create.v1',
  request: z.object({
    workspaceId: Ksuid,
    createdBy: Text,
    name: Text,
    code: Text,
    description: Text.optional(),
    language: Language.optional(),
    externalId: Text.optional(),
    /** Test events. If given, the code must pass with them, even as a draft (ruling 5). */
    events: Events.optional(),
    /** The gateway has checked that these exist in the workspace. */
    destinationIds: z.array(Ksuid).optional(),
    publish: z.boolean(),
    samples,
    ...reach,
  }),
  reply: WrittenTransformation,
  deadlineMs: 20_000,
  example: {
    request: { workspaceId: WORKSPACE, createdBy: 'a@example.com', name: 'Keep all', code: CODE, publish: true },
    reply: exampleTransformation,
  },
});

export const UpdateTransformation = defineCall({
  subject: 'registry.transformation.update.v1',
  request: z.object({
    ...one,
    createdBy: Text,
    name: Text.optional(),
    code: Text.optional(),
    description: Text.optional(),
    language: Language.optional(),
    events: Events.optional(),
    destinationIds: z.array(Ksuid).optional(),
    publish: z.boolean(),
    samples,
    ...reach,
    ifMatch,
  }),
  reply: WrittenTransformation,
  deadlineMs: 20_000,
  example: { request: { ...exampleOne, createdBy: 'a@example.com', publish: false }, reply: exampleTransformation },
});

/** Lists published transformations only, oldest first. */
export const ListTransformations = defineCall({
  subject: 'registry.transformation.list.v1',
  request: z.object({ workspaceId: Ksuid, ...page }),
  reply: z.object({ transformations: z.array(Transformation), next: z.string().optional() }),
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE }, reply: { transformations: [exampleTransformation] } },
});

export const GetTransformation = defineCall({
  subject: 'registry.transformation.get.v1',
  request: z.object(one),
  reply: TaggedTransformation,
  deadlineMs: 5_000,
  example: { request: exampleOne, reply: exampleTransformation },
});

/** Revisions stay readable afterwards (spec section 3). */
export const DeleteTransformation = defineCall({
  subject: 'registry.transformation.delete.v1',
  request: z.object({ ...one, ifMatch }),
  reply: z.object({}),
  deadlineMs: 5_000,
  example: { request: exampleOne, reply: {} },
});

export const ListTransformationVersions = defineCall({
  subject: 'registry.transformation.list-versions.v1',
  request: z.object(versions),
  reply: z.object({ versions: z.array(TransformationRevision), next: z.string().optional() }),
  deadlineMs: 5_000,
  example: { request: exampleVersions, reply: { versions: [exampleTransformationRevision] } },
});

export const GetTransformationVersion = defineCall({
  subject: 'registry.transformation.get-version.v1',
  request: z.object({ ...one, versionId: Ksuid }),
  reply: TaggedTransformationRevision,
  deadlineMs: 5_000,
  example: { request: { ...exampleOne, versionId: VERSION }, reply: exampleTransformationRevision },
});

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
    publish: z.boolean(),
    ...reach,
  }),
  reply: TaggedLibrary,
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
  request: z.object({ workspaceId: Ksuid, ...page }),
  reply: z.object({ libraries: z.array(Library), next: z.string().optional() }),
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE }, reply: { libraries: [exampleLibrary] } },
});

export const GetLibrary = defineCall({
  subject: 'registry.library.get.v1',
  request: z.object(one),
  reply: TaggedLibrary,
  deadlineMs: 5_000,
  example: { request: exampleOne, reply: exampleLibrary },
});

/** `conflict` while a published transformation imports it (ruling 9). */
export const DeleteLibrary = defineCall({
  subject: 'registry.library.delete.v1',
  request: z.object({ ...one, ifMatch }),
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
  reply: TaggedLibraryRevision,
  deadlineMs: 5_000,
  example: { request: { ...exampleOne, versionId: VERSION }, reply: exampleLibraryRevision },
});

const TestCase = z.object({
  id: Text.optional(),
  name: Text.optional(),
  description: Text.optional(),
  input: Events,
  expectedOutput: z.array(z.unknown()).optional(),
});

/** Revisions to publish or test together. The gateway has already parsed `testInput`. */
const ReleaseItems = z.object({
  transformations: z
    .array(
      z.object({
        versionId: Ksuid,
        testInput: Events.optional(),
        testSuite: z.array(TestCase).max(50).optional(),
        samples,
      }),
    )
    .max(PUBLISH_ITEMS_MAX),
  libraries: z.array(z.object({ versionId: Ksuid })).max(PUBLISH_ITEMS_MAX),
});
export type ReleaseItems = z.output<typeof ReleaseItems>;

/**
 * Publishes revisions, all or none (ruling 6). An unknown version gives `not_found`. A failed test gives `tests_failed` with
 * `details: {published: false, validationOutput}`.
 */
export const PublishRelease = defineCall({
  subject: 'registry.release.publish.v1',
  request: z.object({
    workspaceId: Ksuid,
    createdBy: Text,
    commitId: Text.optional(),
    items: ReleaseItems,
    ...reach,
  }),
  reply: z.object({ published: z.literal(true), validationOutput: ValidationOutput }),
  deadlineMs: 60_000,
  example: {
    request: {
      workspaceId: WORKSPACE,
      createdBy: 'a@example.com',
      items: { transformations: [{ versionId: VERSION }], libraries: [] },
    },
    reply: { published: true, validationOutput: { libraries: [], transformations: [] } },
  },
});

/** Publishes an earlier revision of a transformation again, with the tests of a publish. `not_found` if it does not exist. */
export const RollbackTransformation = defineCall({
  subject: 'registry.transformation.rollback.v1',
  request: z.object({ ...one, versionId: Ksuid, createdBy: Text, ifMatch, samples, ...reach }),
  reply: TaggedTransformation.extend({ validationOutput: ValidationOutput }),
  deadlineMs: 20_000,
  example: {
    request: { ...exampleOne, versionId: VERSION, createdBy: 'a@example.com' },
    reply: { ...exampleTransformation, validationOutput: { libraries: [], transformations: [] } },
  },
});

/** Returns the destinations that the transformations of these revisions are linked to. Unknown revisions are left out. */
export const ListVersionDestinations = defineCall({
  subject: 'registry.release.destinations.v1',
  request: z.object({ workspaceId: Ksuid, versionIds: z.array(Ksuid).max(PUBLISH_ITEMS_MAX) }),
  reply: z.object({ versions: z.array(z.object({ versionId: Ksuid, destinationIds: z.array(Ksuid) })) }),
  deadlineMs: 5_000,
  example: {
    request: { workspaceId: WORKSPACE, versionIds: [VERSION] },
    reply: { versions: [{ versionId: VERSION, destinationIds: [ID] }] },
  },
});

/** Runs the tests of a publish without publishing. Failures are part of the reply. */
export const TestRelease = defineCall({
  subject: 'registry.release.test.v1',
  request: z.object({ workspaceId: Ksuid, items: ReleaseItems, ...reach }),
  reply: z.object({ pass: z.boolean(), message: z.string(), validationOutput: ValidationOutput }),
  deadlineMs: 60_000,
  example: {
    request: { workspaceId: WORKSPACE, items: { transformations: [{ versionId: VERSION }], libraries: [] } },
    reply: { pass: true, message: 'All tests passed', validationOutput: { libraries: [], transformations: [] } },
  },
});

/** The code that is live for one destination. `transformationId` is null without a transformation. */
export const DestinationRelease = z.object({
  workspaceId: Ksuid,
  destinationId: Ksuid,
  transformationId: Ksuid.nullable(),
  versionId: Ksuid.nullable(),
  /** Published revisions of every library that the version reaches, sorted. */
  libraryVersionIds: z.array(Ksuid).max(BUNDLE_LIBRARIES_MAX),
  /** Grows with each change and becomes visible in that order. Consumers ignore a number lower than one they have seen. */
  release: z.number().int(),
  /** Whether its first events are counted and reported (`ReportTrial`). Defaults to no. */
  onTrial: z.boolean().optional(),
});
export type DestinationRelease = z.output<typeof DestinationRelease>;

const exampleRelease = {
  workspaceId: WORKSPACE,
  destinationId: ID,
  transformationId: ID,
  versionId: VERSION,
  libraryVersionIds: [],
  release: 7,
};

/** Lists changes of any destination after release `after`, oldest first. Deliverers call this twice a second. */
export const ListReleasesSince = defineCall({
  subject: 'registry.release.since.v1',
  request: z.object({ after: z.number().int().nonnegative() }),
  reply: z.object({ releases: z.array(DestinationRelease), more: z.boolean() }),
  deadlineMs: 2_000,
  example: { request: { after: 0 }, reply: { releases: [exampleRelease], more: false } },
});

/** The live release of one destination. Null when nothing is linked. */
export const GetDestinationRelease = defineCall({
  subject: 'registry.release.get.v1',
  request: z.object({ workspaceId: Ksuid, destinationId: Ksuid }),
  reply: z.object({ release: DestinationRelease.nullable() }),
  deadlineMs: 2_000,
  example: {
    request: { workspaceId: WORKSPACE, destinationId: ID },
    reply: { release: exampleRelease },
  },
});

/** The code of a version with the given library versions. Immutable, so it may be cached forever. */
export const GetBundle = defineCall({
  subject: 'registry.bundle.get.v1',
  request: z.object({ workspaceId: Ksuid, versionId: Ksuid, libraryVersionIds: z.array(Ksuid) }),
  reply: CodeBundle,
  deadlineMs: 5_000,
  example: {
    request: { workspaceId: WORKSPACE, versionId: VERSION, libraryVersionIds: [] },
    reply: { key: VERSION, name: 'Keep all', code: CODE, libraries: [] },
  },
});

const Link = z.object({
  destinationId: Ksuid,
  transformationId: Ksuid,
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
const exampleLink = { destinationId: ID, transformationId: ID, createdAt: AT, updatedAt: AT };

/** Links one published transformation to a destination and replaces the previous link. */
export const PutLink = defineCall({
  subject: 'registry.link.put.v1',
  request: z.object({ workspaceId: Ksuid, destinationId: Ksuid, transformationId: Ksuid }),
  reply: Link,
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE, destinationId: ID, transformationId: ID }, reply: exampleLink },
});

/** `not_found` without a link. */
export const GetLink = defineCall({
  subject: 'registry.link.get.v1',
  request: z.object({ workspaceId: Ksuid, destinationId: Ksuid }),
  reply: Link,
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE, destinationId: ID }, reply: exampleLink },
});

/** Returns the removed link. `not_found` without one. */
export const DeleteLink = defineCall({
  subject: 'registry.link.delete.v1',
  request: z.object({ workspaceId: Ksuid, destinationId: Ksuid }),
  reply: Link,
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE, destinationId: ID }, reply: exampleLink },
});

export const SetExternalId = defineCall({
  subject: 'registry.external-id.set.v1',
  request: z.object({
    workspaceId: Ksuid,
    kind: z.enum(['transformation', 'library']),
    id: Ksuid,
    externalId: Text.max(256),
  }),
  reply: z.object({}),
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE, kind: 'library', id: ID, externalId: 'mine' }, reply: {} },
});

/** Announces over core NATS that releases up to this number are committed. Only a hint: `ListReleasesSince` is authoritative. */
export const RELEASE_PUBLISHED_SUBJECT = 'registry.release.published.v1';
