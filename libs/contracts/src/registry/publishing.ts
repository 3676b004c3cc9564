import { z } from 'zod';
import { defineCall } from '../call.js';
import { ValidationOutput } from '../evidence.js';
import { Ksuid } from '../ids.js';
import { PUBLISH_ITEMS_MAX } from '../limits.js';
import { Text } from '../text.js';
import { ID, VERSION, WORKSPACE } from './objects.js';
import { Events, ifMatch, reach, samples } from './requests.js';
import { TESTS_MAX, TestCase } from './saved-tests.js';

/** Live transformations whose samples one request carries. Others that run its libraries are tested without. */
export const DEPENDENTS_MAX = 50;

/** Revisions to publish or test together. The gateway has already parsed `testInput`. Tests ignore `ifMatch`. */
const PublishItems = z.object({
  transformations: z
    .array(
      z.object({
        versionId: Ksuid,
        testInput: Events.optional(),
        testSuite: z.array(TestCase).max(TESTS_MAX).optional(),
        /** The suite takes the place of the saved tests: at once, and for good if the publish passes. Defaults to no. */
        saveTests: z.boolean().optional(),
        samples,
        ifMatch,
      }),
    )
    .max(PUBLISH_ITEMS_MAX),
  libraries: z.array(z.object({ versionId: Ksuid, ifMatch })).max(PUBLISH_ITEMS_MAX),
  /** Samples for live transformations that run a library of this request: they show its blast radius. */
  dependents: z
    .array(z.object({ versionId: Ksuid, samples }))
    .max(DEPENDENTS_MAX)
    .optional(),
});
export type PublishItems = z.output<typeof PublishItems>;

/**
 * Publishes revisions, all or none (ruling 6). An unknown version gives `not_found`, and an object whose state is none of `ifMatch`
 * gives `precondition_failed`. A failed test gives `tests_failed` with `details: {published: false, validationOutput}`.
 */
export const PublishRelease = defineCall({
  subject: 'registry.release.publish.v1',
  request: z.object({
    workspaceId: Ksuid,
    createdBy: Text,
    commitId: Text.optional(),
    items: PublishItems,
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

/** Runs the tests of a publish without publishing. Failures are part of the reply. */
export const TestRelease = defineCall({
  subject: 'registry.release.test.v1',
  request: z.object({ workspaceId: Ksuid, items: PublishItems, ...reach }),
  reply: z.object({ pass: z.boolean(), message: z.string(), validationOutput: ValidationOutput }),
  deadlineMs: 60_000,
  example: {
    request: { workspaceId: WORKSPACE, items: { transformations: [{ versionId: VERSION }], libraries: [] } },
    reply: { pass: true, message: 'All tests passed', validationOutput: { libraries: [], transformations: [] } },
  },
});

const VersionDestinations = z.object({ versionId: Ksuid, destinationIds: z.array(Ksuid) });

/**
 * Returns the destinations that the transformations of these revisions are linked to, and live transformations that run these
 * libraries. Unknown revisions are left out.
 */
export const ListVersionDestinations = defineCall({
  subject: 'registry.release.destinations.v1',
  request: z.object({
    workspaceId: Ksuid,
    versionIds: z.array(Ksuid).max(PUBLISH_ITEMS_MAX),
    libraryVersionIds: z.array(Ksuid).max(PUBLISH_ITEMS_MAX).optional(),
  }),
  reply: z.object({
    versions: z.array(VersionDestinations),
    dependents: z.array(VersionDestinations).max(DEPENDENTS_MAX).optional(),
  }),
  deadlineMs: 5_000,
  example: {
    request: { workspaceId: WORKSPACE, versionIds: [VERSION] },
    reply: { versions: [{ versionId: VERSION, destinationIds: [ID] }] },
  },
});
