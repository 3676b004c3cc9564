import { z } from 'zod';
import { defineCall } from '../call.js';
import { Ksuid } from '../ids.js';
import { BUNDLE_LIBRARIES_MAX } from '../limits.js';
import { CodeBundle } from '../sandbox.js';
import { CODE, ID, VERSION, WORKSPACE } from './objects.js';

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

/** Announces over core NATS that releases up to this number are committed. Only a hint: `ListReleasesSince` is authoritative. */
export const RELEASE_PUBLISHED_SUBJECT = 'registry.release.published.v1';
