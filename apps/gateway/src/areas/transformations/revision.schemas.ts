import {
  BasedOn,
  JsonObject,
  Library,
  LibraryRevision,
  ObjectStatus,
  REPLAY_SAMPLES_MAX,
  Replaced,
  Transformation,
  TransformationRevision,
  ValidationOutput,
  VERSIONS_COUNT_DEFAULT,
  VERSIONS_COUNT_MAX,
} from '@weir/contracts';
import { z } from 'zod';
import { etag, etags } from '../../http/entity-tag.js';
import { pathId, queryBoolean, queryFlag, queryInteger, uniqueName } from '../../http/fields.js';

export const PublishQuery = z.object({
  publish: queryFlag.meta({
    description: '`true` publishes the revision if it passes its tests. Otherwise it is a draft',
  }),
});
export type PublishQuery = z.output<typeof PublishQuery>;
export const CreateLibraryQuery = PublishQuery.extend({ uniqueName });
export type CreateLibraryQuery = z.output<typeof CreateLibraryQuery>;

/** Which objects a path means. The default is the published ones (spec 4.1). */
export const StatusQuery = z.object({
  status: ObjectStatus.default('published').meta({
    default: 'published',
    description: 'Published objects, drafts that were never published, or both',
  }),
});
export type StatusQuery = z.output<typeof StatusQuery>;
export const ListQuery = StatusQuery.extend({ etags });
export type ListQuery = z.output<typeof ListQuery>;

/** `orderBy` accepts any case. The default is ascending by creation time (spec 4.1). */
export const VersionsQuery = z.object({
  count: queryInteger(1, VERSIONS_COUNT_MAX)
    .default(VERSIONS_COUNT_DEFAULT)
    .meta({ default: VERSIONS_COUNT_DEFAULT, description: 'Revisions to list' }),
  orderBy: z
    .string()
    .regex(/^(asc|desc)$/i, 'must be ASC or DESC')
    .transform((order) => (order.toUpperCase() === 'DESC' ? 'DESC' : 'ASC'))
    .default('ASC')
    .meta({ enum: ['ASC', 'DESC'], default: 'ASC', description: 'Order of creation, in any case' }),
});
export type VersionsQuery = z.output<typeof VersionsQuery>;

/** Test events of one transformation. Equals the registry's limit. */
export const TestEvents = z.array(JsonObject).max(1_000);

const LIBRARY_CODE = 'export const cents = (amount) => Math.round(amount * 100);';
const CODE =
  'export function transformEvent(event) {\n  event.properties = { ...event.properties, checked: true };\n  return event;\n}';

/**
 * The fields of a revision. All are optional in an update, and absent ones stay unchanged (wire-facts 1.5). The registry checks
 * lengths and that code is not empty, because it stores them.
 */
export const RevisionBody = z
  .object({ name: z.string(), code: z.string(), description: z.string(), language: z.string() })
  .partial()
  .meta({ id: 'UpdateLibrary', examples: [{ code: LIBRARY_CODE }] });
export type RevisionBody = z.output<typeof RevisionBody>;
export const NewObjectBody = RevisionBody.required({ name: true, code: true })
  .extend({
    externalId: z.string().optional(),
  })
  .meta({ id: 'CreateLibrary', examples: [{ name: 'money', code: LIBRARY_CODE }] });
export type NewObjectBody = z.output<typeof NewObjectBody>;

export const Success = z.object({ success: z.literal(true) }).meta({ id: 'Success' });
export const SUCCESS = { success: true as const };

/** Most destinations that one request may connect. */
const DESTINATIONS_MAX = 1_000;

export const TransformationPath = z.object({ id: pathId('transformation') });

/** Number of sampled source events on which to compare the transformation with the live version. */
export const ReplayQuery = z.object({
  replaySamples: queryInteger(0, REPLAY_SAMPLES_MAX)
    .default(0)
    .meta({ default: 0, description: 'Sampled events on which to compare the code with the live version' }),
});
export type ReplayQuery = z.output<typeof ReplayQuery>;

const writing = PublishQuery.extend({
  ...ReplayQuery.shape,
  replace: queryBoolean
    .transform((value) => value ?? true)
    .meta({
      default: true,
      description:
        'A destination has one transformation: connecting another one replaces it. `false` refuses that with 409',
    }),
});
type Writing = z.output<typeof writing>;
const samplesOfPublish = ({ publish, replaySamples }: Writing) => publish || replaySamples === 0;
const PUBLISH_ONLY = {
  path: ['replaySamples'],
  error: 'requires publish=true. Use /transformations/tests/run to compare drafts',
};

export const WriteQuery = writing.refine(samplesOfPublish, PUBLISH_ONLY);
export type WriteQuery = z.output<typeof WriteQuery>;
export const CreateTransformationQuery = writing.extend({ uniqueName }).refine(samplesOfPublish, PUBLISH_ONLY);
export type CreateTransformationQuery = z.output<typeof CreateTransformationQuery>;

/** One event or a list of them (ruling 4). */
const events = z
  .union([TestEvents, JsonObject], { error: 'must be an event or a list of events' })
  .transform((given) => (Array.isArray(given) ? given : [given]));
const connecting = z.object({ events, destinationIds: z.array(z.string()).max(DESTINATIONS_MAX) }).partial();

export const CreateTransformationBody = NewObjectBody.extend(connecting.shape).meta({
  id: 'CreateTransformation',
  examples: [{ name: 'Mark checked', code: CODE, language: 'javascript' }],
});
export type CreateTransformationBody = z.output<typeof CreateTransformationBody>;
export const UpdateTransformationBody = RevisionBody.extend(connecting.shape).meta({
  id: 'UpdateTransformation',
  examples: [{ code: CODE }],
});
export type UpdateTransformationBody = z.output<typeof UpdateTransformationBody>;

/** A transformation and a revision of it, as they are shown. */
export const ShownTransformation = Transformation.extend({ etag }).meta({ id: 'Transformation' });
export const ShownTransformationRevision = TransformationRevision.extend({ etag }).meta({
  id: 'TransformationRevision',
});
export const TransformationVersionPath = TransformationPath.extend({ versionId: pathId('version') });
/** Includes the evidence if the request asked for samples, and what the publish replaced. */
export const WrittenTransformation = ShownTransformation.extend({
  validationOutput: ValidationOutput.optional(),
  replaced: z.array(Replaced).optional(),
  ...BasedOn.shape,
}).meta({ id: 'WrittenTransformation' });
export const TransformationList = z.object({ transformations: z.array(ShownTransformation) });
/** The wire defines this casing, which differs from that of libraries (ruling 4). */
export const TransformationVersions = z.object({ TransformationVersions: z.array(ShownTransformationRevision) });

export const LibraryPath = z.object({ id: pathId('library') });
export const LibraryVersionPath = LibraryPath.extend({ versionId: pathId('version') });

const workspace = z.object({ id: z.string(), name: z.string() });
/** Includes the workspace that spec 2.2 shows (ruling 2). */
export const ShownLibrary = Library.extend({ workspace, etag }).meta({ id: 'Library' });
export const ShownLibraryRevision = LibraryRevision.extend({ workspace, etag }).meta({ id: 'LibraryRevision' });
export const WrittenLibrary = ShownLibrary.extend(BasedOn.shape).meta({ id: 'WrittenLibrary' });
export const LibraryList = z.object({ libraries: z.array(ShownLibrary) });
export const LibraryVersions = z.object({ libraryVersions: z.array(ShownLibraryRevision) });
