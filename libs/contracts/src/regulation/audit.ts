import { z } from 'zod';
import { defineCall } from '../call.js';
import { JsonObject, Ksuid, Timestamp, Uuid } from '../ids.js';
import { ListOrder } from '../order.js';
import { Text } from '../text.js';

const WORKSPACE = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const ID = '0ujzPyRiIAffKhBux4PvQdDqMHY';
const AT = '2026-01-01T00:00:00.000Z';

/** Values that a database gives back as they went in. The order of keys within an object would change, and with it the hash. */
const Detail = z.union([Text, z.number(), z.boolean(), z.null(), z.array(Text)]);

/** Something that a person or tool did. Holds neither secrets nor anything that names an end user. */
export const AuditAct = z.object({
  /** Chosen where it happened, so that an act that arrives twice is one entry. */
  actId: Ksuid,
  workspaceId: Ksuid,
  /** E-mail address of the token, or `operator`. */
  actor: Text,
  /** `<object>.<what happened>` */
  action: Text,
  /** When it happened. The entry has the time of its place in the chain. */
  at: Timestamp,
  /** The ids of the objects concerned. */
  details: z.record(Text, Detail),
});
export type AuditAct = z.output<typeof AuditAct>;

/** Who asks for a change. Absent for work that nobody asked for, such as the clean-up behind a deletion: that is not an act. */
export const by = { by: Text.optional() };

/** Appends to the workspace's chain. Safe to repeat. */
export const AppendAudit = defineCall({
  subject: 'regulation.audit.append.v1',
  request: AuditAct,
  reply: z.object({}),
  deadlineMs: 5_000,
  example: {
    request: {
      ...{ actId: ID, workspaceId: WORKSPACE, actor: 'ada@example.com', action: 'source.created', at: AT },
      details: { id: ID },
    },
    reply: {},
  },
});

/** One entry of the chain. `hash` is SHA-256 over the other fields, and `previousHash` is that of the entry before. */
export const AuditEntry = z.object({
  position: z.int().meta({ description: 'Counts from 1 in each workspace, without gaps' }),
  at: Timestamp.meta({ description: 'When the entry joined the chain' }),
  actor: z.string().meta({ description: 'E-mail address of the token, `operator`, or the part of Weir that acted' }),
  action: z.string().meta({ description: 'The act, such as `source.created` or `regulation.canceled`' }),
  regulationId: Uuid.optional().meta({ description: 'The regulation that it is about' }),
  subject: z
    .string()
    .optional()
    .meta({ description: 'The user that it is about, as a keyed hash in hex. It names nobody' }),
  details: JsonObject.meta({ description: 'Ids of what it is about. Holds neither secrets nor identifiers of users' }),
  previousHash: z.string().meta({ description: 'Hash of the entry before, in hex. Zeros for the first' }),
  hash: z.string().meta({ description: 'Receipts cite it (`audit.hash`)' }),
});
export type AuditEntry = z.output<typeof AuditEntry>;

/** Entries per page. */
export const AUDIT_PAGE_SIZE = 100;

/** Oldest first, or newest first. Repeat the call with `after` = `next` until it is missing. `after` 0 is the start of either order. */
export const ListAudit = defineCall({
  subject: 'regulation.audit.list.v1',
  request: z.object({ workspaceId: Ksuid, after: z.int().min(0).default(0), order: ListOrder.optional() }),
  reply: z.object({ entries: z.array(AuditEntry), next: z.int().optional() }),
  deadlineMs: 5_000,
  example: {
    request: { workspaceId: WORKSPACE },
    reply: {
      entries: [
        {
          ...{ position: 1, at: AT, actor: 'ada@example.com', action: 'source.created', details: { id: ID, at: AT } },
          ...{ previousHash: '0'.repeat(64), hash: 'a'.repeat(64) },
        },
      ],
    },
  },
});
