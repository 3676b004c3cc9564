import { z } from 'zod';
import { CREDENTIALS_MAX } from '../credentials.js';
import { JsonObject, Ksuid } from '../ids.js';
import { REPLAY_SAMPLES_MAX, VERSIONS_COUNT_MAX } from '../limits.js';
import { UserCredential } from '../sandbox.js';
import { Text } from '../text.js';

/** Tags in one condition. Clients know one or two. */
export const ETAGS_MAX = 20;
export const Language = Text.max(32);
export const Events = z.array(JsonObject).max(1_000);

/** One of these tags must be current, otherwise the call fails with `precondition_failed`. Without tags the last write wins. */
export const ifMatch = z.array(Text).max(ETAGS_MAX).optional();

/** Refuses a create with `conflict` and `details: {existingId}` if an object that is not deleted has the name. Defaults to no. */
export const uniqueName = z.boolean().optional();

/** Credentials and network access for code under test. The gateway supplies them, because the registry has no key or settings. */
export const CodeReach = z.object({
  /** Opened credentials for `getCredential`. */
  credentials: z.array(UserCredential).max(CREDENTIALS_MAX).optional(),
  /** Whether `fetch` and `fetchV2` reach the network. Defaults to no. */
  allowFetch: z.boolean().optional(),
});
export type CodeReach = z.output<typeof CodeReach>;
export const reach = CodeReach.shape;

/** Real events to compare the live version with the new one. They do not affect whether the tests pass. */
export const samples = z.array(JsonObject).max(REPLAY_SAMPLES_MAX).optional();

/**
 * Which objects a list or an id means: the published ones (spec 4.1), drafts, or both. A draft was never published, and shows its
 * latest revision.
 */
export const ObjectStatus = z.enum(['published', 'draft', 'all']);
export type ObjectStatus = z.output<typeof ObjectStatus>;
/** Defaults to `published`. */
export const status = { status: ObjectStatus.optional() };

/** Lists travel in pages below the message limit. The caller repeats the call with `after` until `next` is missing. */
export const page = { after: Text.optional() };
export const one = { workspaceId: Ksuid, id: Ksuid };
export const versions = {
  ...one,
  count: z.number().int().min(1).max(VERSIONS_COUNT_MAX),
  orderBy: z.enum(['ASC', 'DESC']),
  ...page,
};
