import { z } from 'zod';
import { defineCall } from '../call.js';
import { ValidationOutput } from '../evidence.js';
import { Ksuid } from '../ids.js';
import { by } from '../regulation/audit.js';
import { Text } from '../text.js';
import { Replaced } from './links.js';
import {
  BasedOn,
  CODE,
  exampleOne,
  exampleTransformation,
  exampleTransformationRevision,
  exampleVersions,
  Transformation,
  TransformationRevision,
  VERSION,
  WORKSPACE,
} from './objects.js';
import { Events, ifMatch, Language, one, page, reach, samples, status, uniqueName, versions } from './requests.js';

/** Includes the evidence when the request came with samples, and what the publish took from destinations. */
const WrittenTransformation = Transformation.extend({
  validationOutput: ValidationOutput.optional(),
  replaced: z.array(Replaced).optional(),
  ...BasedOn.shape,
});
export type WrittenTransformation = z.output<typeof WrittenTransformation>;

/** Whether destinations may lose another transformation to this one. Otherwise that is a `conflict`. Defaults to yes. */
const replace = z.boolean().optional();

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
    replace,
    uniqueName,
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
    replace,
    publish: z.boolean(),
    samples,
    ...reach,
    ifMatch,
  }),
  reply: WrittenTransformation,
  deadlineMs: 20_000,
  example: { request: { ...exampleOne, createdBy: 'a@example.com', publish: false }, reply: exampleTransformation },
});

/** Oldest first. */
export const ListTransformations = defineCall({
  subject: 'registry.transformation.list.v1',
  request: z.object({ workspaceId: Ksuid, ...status, ...page }),
  reply: z.object({ transformations: z.array(Transformation), next: z.string().optional() }),
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE }, reply: { transformations: [exampleTransformation] } },
});

export const GetTransformation = defineCall({
  subject: 'registry.transformation.get.v1',
  request: z.object({ ...one, ...status }),
  reply: Transformation,
  deadlineMs: 5_000,
  example: { request: exampleOne, reply: exampleTransformation },
});

/** Revisions stay readable afterwards (spec section 3). */
export const DeleteTransformation = defineCall({
  subject: 'registry.transformation.delete.v1',
  request: z.object({ ...one, ...status, ifMatch, ...by }),
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
  reply: TransformationRevision,
  deadlineMs: 5_000,
  example: { request: { ...exampleOne, versionId: VERSION }, reply: exampleTransformationRevision },
});

/** Publishes an earlier revision of a transformation again, with the tests of a publish. `not_found` if it does not exist. */
export const RollbackTransformation = defineCall({
  subject: 'registry.transformation.rollback.v1',
  request: z.object({ ...one, versionId: Ksuid, createdBy: Text, ifMatch, samples, ...reach }),
  reply: Transformation.extend({ validationOutput: ValidationOutput }),
  deadlineMs: 20_000,
  example: {
    request: { ...exampleOne, versionId: VERSION, createdBy: 'a@example.com' },
    reply: { ...exampleTransformation, validationOutput: { libraries: [], transformations: [] } },
  },
});
