import {
  JsonObject,
  Library,
  LibraryRevision,
  Transformation,
  TransformationRevision,
  VERSIONS_COUNT_DEFAULT,
  VERSIONS_COUNT_MAX,
} from '@weir/contracts';
import { z } from 'zod';
import { pathId, queryBoolean, queryInteger } from '../../http/fields.js';

/** Destinations that one request may connect. */
const DESTINATIONS_MAX = 1_000;

export const TransformationPath = z.object({ id: pathId('transformation') });
export const LibraryPath = z.object({ id: pathId('library') });
const versionId = pathId('version');
export const TransformationVersionPath = TransformationPath.extend({ versionId });
export const LibraryVersionPath = LibraryPath.extend({ versionId });

export const PublishQuery = z.object({ publish: queryBoolean.transform((publish) => publish ?? false) });
export type PublishQuery = z.output<typeof PublishQuery>;

/** `orderBy` in any case; ascending by time of creation when missing (spec 4.1). */
export const VersionsQuery = z.object({
  count: queryInteger(1, VERSIONS_COUNT_MAX).default(VERSIONS_COUNT_DEFAULT),
  orderBy: z
    .string()
    .regex(/^(asc|desc)$/i, 'must be ASC or DESC')
    .transform((order) => (order.toUpperCase() === 'DESC' ? 'DESC' : 'ASC'))
    .default('ASC'),
});
export type VersionsQuery = z.output<typeof VersionsQuery>;

/** Test events of one transformation, as many as the registry takes. */
export const TestEvents = z.array(JsonObject).max(1_000);
/** One event or a list of them (ruling 4). */
const events = z
  .union([TestEvents, JsonObject], { error: 'must be an event or a list of events' })
  .transform((given) => (Array.isArray(given) ? given : [given]));

/** How long texts may be, and that code is not empty, is for the registry to say: it stores them. */
const settings = { name: z.string(), code: z.string(), description: z.string(), language: z.string() };
const libraryUpdate = z.object(settings).partial();
const connecting = z.object({ events, destinationIds: z.array(z.string()).max(DESTINATIONS_MAX) }).partial();

export const CreateLibraryBody = libraryUpdate.required({ name: true, code: true }).extend({
  externalId: z.string().optional(),
});
export type CreateLibraryBody = z.output<typeof CreateLibraryBody>;
/** Everything is optional; what is left out stays (wire-facts 1.5). A library keeps its name. */
export const UpdateLibraryBody = libraryUpdate;
export type UpdateLibraryBody = z.output<typeof UpdateLibraryBody>;

export const CreateTransformationBody = CreateLibraryBody.extend(connecting.shape);
export type CreateTransformationBody = z.output<typeof CreateTransformationBody>;
export const UpdateTransformationBody = libraryUpdate.extend(connecting.shape);
export type UpdateTransformationBody = z.output<typeof UpdateTransformationBody>;

/** A change with the tags of `If-Match`, when there was one. */
export type Conditional<Body> = Body & { ifMatch?: string[] | undefined };

const workspace = z.object({ id: z.string(), name: z.string() });
/** With the workspace that spec 2.2 shows (ruling 2). */
export const ShownLibrary = Library.extend({ workspace });
export const ShownLibraryRevision = LibraryRevision.extend({ workspace });

export const TransformationList = z.object({ transformations: z.array(Transformation) });
export const LibraryList = z.object({ libraries: z.array(ShownLibrary) });
/** The different casing of these two is on the wire (ruling 4). */
export const TransformationVersionList = z.object({ TransformationVersions: z.array(TransformationRevision) });
export const LibraryVersionList = z.object({ libraryVersions: z.array(ShownLibraryRevision) });

export const Success = z.object({ success: z.literal(true) });
export const SUCCESS = { success: true as const };
