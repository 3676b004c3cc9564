import { z } from 'zod';
import { defineCall } from '../call.js';
import { isJsonObject, Ksuid, Timestamp, Uuid } from '../ids.js';
import { PAYLOAD_BYTES_MAX } from '../limits.js';
import { ListOrder } from '../order.js';
import { isStorableText, Text } from '../text.js';
import { DeletionView, OverallDeletionStatus } from './deletion.js';

const WORKSPACE = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const ID = '0ujzPyRiIAffKhBux4PvQdDqMHY';
const RECORD = '0b9f3d1e-6f0a-4c62-9a3d-2f4c5a6b7c8d';

export const RegulationType = z.enum(['suppress', 'suppress_with_delete']);
export type RegulationType = z.output<typeof RegulationType>;

/**
 * `userId` is a non-empty, trimmed text. Other keys are custom identifiers for deletion, kept as given (spec 4.2 rule 4). Checked by
 * hand: `z.record` would drop a key named `__proto__`, and block the event loop for 50 ms with 5,000 users of twenty keys.
 */
export const RegulatedUser = z
  .custom<Record<string, string | number | boolean>>(
    isRegulatedUser,
    'must hold texts without NUL and half surrogates, numbers and booleans',
  )
  .meta({
    type: 'object',
    additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
  });
export type RegulatedUser = z.output<typeof RegulatedUser>;

function isRegulatedUser(user: unknown): boolean {
  return isJsonObject(user) && Object.entries(user).every(([key, value]) => isStorableText(key) && isIdentifier(value));
}

const isIdentifier = (value: unknown): boolean =>
  typeof value === 'string' ? isStorableText(value) : ['number', 'boolean'].includes(typeof value);

/** A regulation as listed, with exactly the five fields of spec 2.4 (ruling 11). */
export const Regulation = z.object({
  id: Uuid,
  workspaceId: Ksuid,
  canceled: z.boolean(),
  regulationType: RegulationType,
  attributes: RegulatedUser,
});
export type Regulation = z.output<typeof Regulation>;

const Unreadable = z.boolean().optional().meta({
  description: 'Only if the stored identifiers cannot be opened: `attributes` then has an empty `userId` alone',
});

/** A regulation of a list that was asked for with `details`. Without them, one that can be read is a {@link Regulation}. */
export const ListedRegulation = Regulation.extend({
  unreadable: Unreadable,
  createdAt: Timestamp.optional().meta({ description: 'With `details`' }),
  deletion: z
    .object({ status: OverallDeletionStatus })
    .optional()
    .meta({ description: 'With `details`, for a regulation that deletes' }),
});
export type ListedRegulation = z.output<typeof ListedRegulation>;
const exampleRegulation = {
  id: RECORD,
  workspaceId: WORKSPACE,
  canceled: false,
  regulationType: 'suppress' as const,
  attributes: { userId: 'u1' },
};

/** Selects regulations that meet all given conditions, and their order. */
export const RegulationFilter = z.object({
  /** Compared like the user id of an event: trimmed, otherwise exact. */
  userId: Text.optional(),
  regulationType: RegulationType.optional(),
  canceled: z.boolean().optional(),
  /** Overall status of the deletions. Regulations without deletion have none. */
  status: OverallDeletionStatus.optional(),
  order: ListOrder.optional(),
});
export type RegulationFilter = z.output<typeof RegulationFilter>;

/**
 * One page in creation order, or with `order: 'desc'` the newest first. A cursor belongs to the filter that it was made for, any other filter is `invalid`. With `status`,
 * a page may be short or empty before the end. Only a page without `next` is the last one.
 */
export const ListRegulations = defineCall({
  subject: 'regulation.record.list.v1',
  request: z.object({
    workspaceId: Ksuid,
    cursor: Text.optional(),
    filter: RegulationFilter.optional(),
    details: z.boolean().optional(),
  }),
  reply: z.object({ records: z.array(ListedRegulation), next: z.string().optional() }),
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE }, reply: { records: [exampleRegulation] } },
});

export const GetRegulation = defineCall({
  subject: 'regulation.record.get.v1',
  request: z.object({ workspaceId: Ksuid, id: Uuid }),
  reply: Regulation.extend({
    unreadable: Unreadable,
    createdAt: z.string(),
    canceledAt: z.string().optional(),
    sourceIds: z.array(Ksuid).optional(),
    destinationIds: z.array(Ksuid).optional(),
    deletion: z
      .object({
        status: OverallDeletionStatus,
        destinations: z.array(DeletionView),
      })
      .optional(),
  }),
  deadlineMs: 5_000,
  example: {
    request: { workspaceId: WORKSPACE, id: RECORD },
    reply: { ...exampleRegulation, createdAt: '2026-01-01T00:00:00.000Z' },
  },
});

/** The suppression is lifted when this returns. A second cancel changes nothing (ruling 11). */
export const CancelRegulation = defineCall({
  subject: 'regulation.record.cancel.v1',
  request: z.object({
    workspaceId: Ksuid,
    id: Uuid,
    canceledBy: Text,
    // on the clock of the intake: events that came in before stay suppressed, however late they are read
    askedAt: Timestamp.optional(),
  }),
  reply: z.object({}),
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE, id: RECORD, canceledBy: 'a@example.com' }, reply: {} },
});

/**
 * Bounds of the ids in one `CheckSuppression`. The answer names a user up to three times, so the ids take at most a quarter of a
 * message. A longer id is asked about alone. It has no regulation, because the users of regulations are shorter.
 */
export const SUPPRESSION_CHECK_BOUNDS = { itemsMax: 1_000, bytesMax: PAYLOAD_BYTES_MAX / 4 };

/**
 * Returns which of these users (as `matchIdsOf` gives them) are suppressed now, and which were deleted. Events received up to a
 * deletion stay blocked, even if nothing suppresses the user anymore. Delivery calls this right before it sends.
 */
export const CheckSuppression = defineCall({
  subject: 'regulation.suppression.check.v1',
  isUrgent: true,
  request: z.object({ workspaceId: Ksuid, sourceId: Ksuid, userIds: z.array(Text) }),
  reply: z.object({
    suppressed: z.array(z.string()),
    /** Time of the deletion, ISO 8601. A service of the previous Weir version omits this list. */
    deleted: z.array(z.object({ userId: z.string(), until: z.string() })).default([]),
    /**
     * Users with any regulation so far, past ones included. The answer about all others is the same for every source and stays true until a
     * regulation of their workspace is created (see `HoldAnswers`). A service of the previous Weir version omits this list.
     */
    regulated: z.array(z.string()).optional(),
  }),
  deadlineMs: 2_000,
  example: {
    request: { workspaceId: WORKSPACE, sourceId: ID, userIds: ['u1', 'u2'] },
    reply: {
      suppressed: ['u1'],
      deleted: [{ userId: 'u2', until: '2026-01-01T00:00:00.000Z' }],
      regulated: ['u1', 'u2'],
    },
  },
});
