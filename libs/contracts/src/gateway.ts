import { z } from 'zod';
import { defineCall } from './call.js';
import { Ksuid } from './ids.js';

/** Ids per request. */
export const DELETED_DESTINATIONS_MAX = 1_000;

const ID = '0ujzPyRiIAffKhBux4PvQdDqMHY';

/**
 * Returns which of these destinations no longer exist in the database. Callers ask before they discard anything of a destination.
 * The inventory bucket cannot answer, because a lost bucket is empty.
 */
export const FindDeletedDestinations = defineCall({
  subject: 'gateway.destination.find-deleted.v1',
  request: z.object({ destinationIds: z.array(Ksuid).min(1).max(DELETED_DESTINATIONS_MAX) }),
  reply: z.object({ deleted: z.array(Ksuid) }),
  deadlineMs: 2_000,
  example: { request: { destinationIds: [ID] }, reply: { deleted: [ID] } },
});
