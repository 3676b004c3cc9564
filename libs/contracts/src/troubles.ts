import { z } from 'zod';
import { defineCall } from './call.js';
import { Ksuid, Timestamp } from './ids.js';

const WORKSPACE = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const ID = '0ujzPyRiIAffKhBux4PvQdDqMHY';
const AT = '2026-01-01T00:00:00.000Z';

/** Workspaces per question. */
export const TROUBLE_WORKSPACES_MAX = 10;
/** Rows per workspace, so that a large one leaves room for the others. */
export const TROUBLE_ROWS_EACH = 100;
/** Rows per answer. About 200 bytes each, far below the limit of a message. */
const ROWS_MAX = TROUBLE_WORKSPACES_MAX * TROUBLE_ROWS_EACH;
/** How far back an answer looks for what happened at a moment. So an asker may be away for a day. */
export const TROUBLE_HOURS = 24;

const request = z.object({ workspaceIds: z.array(Ksuid).min(1).max(TROUBLE_WORKSPACES_MAX) });
const asked = { workspaceIds: [WORKSPACE] };

/** Automatic rollbacks of the last day, the latest of each transformation. */
export const ListRollbacks = defineCall({
  subject: 'registry.trouble.list.v1',
  request,
  reply: z.object({
    rollbacks: z
      .array(z.object({ workspaceId: Ksuid, transformationId: Ksuid, name: z.string(), at: Timestamp }))
      .max(ROWS_MAX),
  }),
  deadlineMs: 5_000,
  example: {
    request: asked,
    reply: { rollbacks: [{ workspaceId: WORKSPACE, transformationId: ID, name: 'Mask', at: AT }] },
  },
});

/** How long a deletion may take. The alert of the operator has the same limit. */
export const DELETION_PROMISE_HOURS = 24;

/** Destinations with deletions that are older than Weir promises. */
export const ListOverdueDeletions = defineCall({
  subject: 'regulation.trouble.list.v1',
  request,
  reply: z.object({
    overdue: z.array(z.object({ workspaceId: Ksuid, destinationId: z.string(), count: z.int() })).max(ROWS_MAX),
  }),
  deadlineMs: 5_000,
  example: { request: asked, reply: { overdue: [{ workspaceId: WORKSPACE, destinationId: ID, count: 2 }] } },
});

const Noticed = z.object({ count: z.int(), at: Timestamp });

/** The activity of the workspaces' sources: the last event, and what was new or changed in the last day. */
export const ListSourceActivity = defineCall({
  subject: 'schema.trouble.list.v1',
  request,
  reply: z.object({
    sources: z
      .array(
        z.object({
          workspaceId: Ksuid,
          writeKey: z.string(),
          lastSeen: Timestamp,
          newEvents: Noticed.optional(),
          drift: Noticed.optional(),
        }),
      )
      .max(ROWS_MAX),
  }),
  deadlineMs: 5_000,
  example: { request: asked, reply: { sources: [{ workspaceId: WORKSPACE, writeKey: 'wk', lastSeen: AT }] } },
});
