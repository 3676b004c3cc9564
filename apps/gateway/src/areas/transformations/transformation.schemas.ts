import {
  BasedOn,
  JsonObject,
  REPLAY_SAMPLES_MAX,
  Transformation,
  TransformationRevision,
  ValidationOutput,
} from '@weir/contracts';
import { z } from 'zod';
import { pathId, queryInteger } from '../../http/fields.js';
import type { RevisionWire } from './revision.routes.js';
import { NewObjectBody, PublishQuery, RevisionBody, TestEvents } from './revision.schemas.js';

/** Most destinations that one request may connect. */
const DESTINATIONS_MAX = 1_000;

export const TransformationPath = z.object({ id: pathId('transformation') });

/** Number of sampled source events on which to compare the transformation with the live version. */
export const ReplayQuery = z.object({ replaySamples: queryInteger(0, REPLAY_SAMPLES_MAX).default(0) });
export type ReplayQuery = z.output<typeof ReplayQuery>;

const WriteQuery = PublishQuery.extend(ReplayQuery.shape).refine(
  ({ publish, replaySamples }) => publish || replaySamples === 0,
  {
    path: ['replaySamples'],
    error: 'can be asked for with publish=true only; /transformations/tests/run compares drafts',
  },
);
export type WriteQuery = z.output<typeof WriteQuery>;

/** One event or a list of them (ruling 4). */
const events = z
  .union([TestEvents, JsonObject], { error: 'must be an event or a list of events' })
  .transform((given) => (Array.isArray(given) ? given : [given]));
const connecting = z.object({ events, destinationIds: z.array(z.string()).max(DESTINATIONS_MAX) }).partial();

export const CreateTransformationBody = NewObjectBody.extend(connecting.shape);
export type CreateTransformationBody = z.output<typeof CreateTransformationBody>;
export const UpdateTransformationBody = RevisionBody.extend(connecting.shape);
export type UpdateTransformationBody = z.output<typeof UpdateTransformationBody>;

export const TRANSFORMATION = {
  what: 'transformation',
  all: 'transformations',
  params: TransformationPath,
  versionParams: TransformationPath.extend({ versionId: pathId('version') }),
  writeQuery: WriteQuery,
  createBody: CreateTransformationBody,
  updateBody: UpdateTransformationBody,
  /** Includes the evidence if the request asked for samples. */
  written: Transformation.extend({ validationOutput: ValidationOutput.optional(), ...BasedOn.shape }),
  live: Transformation,
  list: z.object({ transformations: z.array(Transformation) }),
  revision: TransformationRevision,
  /** The wire defines this casing, which differs from that of libraries (ruling 4). */
  versionList: z.object({ TransformationVersions: z.array(TransformationRevision) }),
  updateNote: 'The name may change',
  deleteNote: '',
  deleteErrors: [],
} as const satisfies RevisionWire;
