import { z } from 'zod';
import { defineCall } from './call.js';
import { Ksuid } from './ids.js';

/** Ids of one question. */
export const DELETED_DESTINATIONS_MAX = 1_000;

const ID = '0ujzPyRiIAffKhBux4PvQdDqMHY';

/**
 * Which of these destinations the database does not have any more. Asked before anything of one is thrown away: a bucket
 * that was lost knows none, and says nothing about any.
 */
export const FindDeletedDestinations = defineCall({
  subject: 'gateway.destination.find-deleted.v1',
  request: z.object({ destinationIds: z.array(Ksuid).min(1).max(DELETED_DESTINATIONS_MAX) }),
  reply: z.object({ deleted: z.array(Ksuid) }),
  deadlineMs: 2_000,
  example: { request: { destinationIds: [ID] }, reply: { deleted: [ID] } },
});
