import { z } from 'zod';
import { defineCall } from './call.js';
import { isJsonObject, JsonObject, Ksuid, Uuid } from './ids.js';
import { REGULATION_USERS_MAX } from './limits.js';
import { isStorableText, Text } from './text.js';

const WORKSPACE = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const ID = '0ujzPyRiIAffKhBux4PvQdDqMHY';
const RECORD = '0b9f3d1e-6f0a-4c62-9a3d-2f4c5a6b7c8d';

export const RegulationType = z.enum(['suppress', 'suppress_with_delete']);
export type RegulationType = z.output<typeof RegulationType>;

/** `userId` is a non-empty, trimmed text. Other keys are custom identifiers for deletion, kept as given (spec 4.2 rule 4). */
export const RegulatedUser = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
export type RegulatedUser = z.output<typeof RegulatedUser>;
/** A user as requested. Checked by hand, because zod would block the event loop for 50 ms with 5,000 users of twenty keys. */
const NewUser = z.custom<RegulatedUser>(
  isNewUser,
  'must hold texts without NUL and half surrogates, numbers and booleans',
);

function isNewUser(user: unknown): boolean {
  return isJsonObject(user) && Object.entries(user).every(([key, value]) => isStorableText(key) && isIdentifier(value));
}

const isIdentifier = (value: unknown): boolean =>
  typeof value === 'string' ? isStorableText(value) : ['number', 'boolean'].includes(typeof value);

/** A record as listed, with exactly the five fields of spec 2.4 (ruling 11). */
export const RegulationRecord = z.object({
  id: Uuid,
  workspaceId: Ksuid,
  canceled: z.boolean(),
  regulationType: RegulationType,
  attributes: RegulatedUser,
});
export type RegulationRecord = z.output<typeof RegulationRecord>;
const exampleRecord = {
  id: RECORD,
  workspaceId: WORKSPACE,
  canceled: false,
  regulationType: 'suppress' as const,
  attributes: { userId: 'u1' },
};

/** A workspace's remaining budget for this hour. A user costs one suppression token, plus one deletion token per destination. */
export const RegulationBudget = z.object({
  name: z.enum(['suppression', 'deletion']),
  /** Tokens per hour. */
  limit: z.int(),
  remaining: z.int(),
  /** Time until the full limit is available again. */
  resetSeconds: z.int(),
});
export type RegulationBudget = z.output<typeof RegulationBudget>;

/** The caller's key for a request, with a hash of its body. One key never stands for two different bodies. */
export const IdempotencyClaim = z.object({
  key: Text.min(1).max(255),
  /** Hash of the body as sent. Equal bodies have equal hashes. */
  fingerprint: Text,
});
export type IdempotencyClaim = z.output<typeof IdempotencyClaim>;

/**
 * Creates one record per user, in the order of `users`. The records are in force when the call returns. If a budget does not
 * cover all of them, the call creates none and fails with `rate_limited` and the details `{budgets, retryAfterSeconds}`.
 */
export const CreateRegulation = defineCall({
  subject: 'regulation.record.create.v1',
  request: z.object({
    workspaceId: Ksuid,
    createdBy: Text,
    regulationType: RegulationType,
    /** Null means every source of the workspace, including later ones. The gateway has checked them. */
    sourceIds: z.array(Ksuid).min(1).nullable(),
    /** Where to delete, frozen at this moment (ruling 14). Empty for `suppress`. */
    destinations: z.array(z.object({ id: Ksuid, type: Text })),
    users: z.array(NewUser).min(1).max(REGULATION_USERS_MAX),
    /** With a claim, a repeated request creates nothing and returns the ids of the first. A different body is a `conflict`. */
    idempotency: IdempotencyClaim.optional(),
  }),
  reply: z.object({
    /** Ids only. The caller has the rest, and 5,000 echoed users would not fit one message. */
    ids: z.array(Uuid),
    /** The affected budgets after the call. */
    budgets: z.array(RegulationBudget).optional(),
    /** True when an earlier request with the same key created these. */
    replayed: z.boolean().optional(),
  }),
  deadlineMs: 15_000,
  example: {
    request: {
      workspaceId: WORKSPACE,
      createdBy: 'a@example.com',
      regulationType: 'suppress',
      sourceIds: null,
      destinations: [],
      users: [{ userId: 'u1' }],
    },
    reply: { ids: [RECORD] },
  },
});

/** Returns the ids that an earlier request with this key created, if there was one. A different body is a `conflict`. */
export const RecallRegulation = defineCall({
  subject: 'regulation.record.recall.v1',
  request: z.object({ workspaceId: Ksuid, idempotency: IdempotencyClaim }),
  reply: z.object({ ids: z.array(Uuid).optional() }),
  deadlineMs: 5_000,
  example: {
    request: { workspaceId: WORKSPACE, idempotency: { key: 'nightly-1', fingerprint: 'q83v' } },
    reply: { ids: [RECORD] },
  },
});

/** Whether and by which keys a destination can delete, judged by its kind. */
export const PlannedDeletion = z.object({
  destinationId: Ksuid,
  type: z.string(),
  /** `if_configured` means that the destination's configuration decides. */
  deletion: z.enum(['supported', 'if_configured', 'not_supported']),
  /** Keys of the given users by which the destination could find them. */
  identifiers: z.array(z.string()),
});
export type PlannedDeletion = z.output<typeof PlannedDeletion>;

/** Checks a request like {@link CreateRegulation}, except for budgets. Stores nothing and spends nothing. */
export const PlanRegulation = defineCall({
  subject: 'regulation.record.plan.v1',
  request: CreateRegulation.request,
  reply: z.object({
    /** Tokens per budget. */
    cost: z.object({ suppression: z.int(), deletion: z.int() }),
    /** Whether the budgets cover it now. */
    covered: z.boolean(),
    budgets: z.array(RegulationBudget),
    destinations: z.array(PlannedDeletion),
  }),
  deadlineMs: 15_000,
  example: {
    request: CreateRegulation.example.request,
    reply: {
      cost: { suppression: 1, deletion: 0 },
      covered: true,
      budgets: [{ name: 'suppression', limit: 50_000, remaining: 50_000, resetSeconds: 0 }],
      destinations: [],
    },
  },
});

export const DeletionStatus = z.enum([
  'pending',
  'running',
  'forwarded',
  'complete',
  'failed',
  'aborted',
  'not_supported',
  'canceled',
]);
export type DeletionStatus = z.output<typeof DeletionStatus>;

/** Status of all deletions of a regulation together. `partial` means that all have ended, but only some have deleted. */
export const OverallDeletionStatus = z.enum([...DeletionStatus.options, 'partial']);
export type OverallDeletionStatus = z.output<typeof OverallDeletionStatus>;

/** Progress of a regulation's deletion at one destination, or in one of Weir's own stores (`internal:…`). Times are ISO 8601. */
export const DeletionView = z.object({
  destinationId: z.string(),
  status: DeletionStatus,
  attempts: z.int(),
  /** How often Weir asked the vendor about a forwarded deletion. */
  checks: z.int().optional(),
  reason: z.string().optional(),
  /** When the vendor accepted the deletion to carry it out later. */
  forwardedAt: z.string().optional(),
  /** Time of the next attempt, or of the next question to the vendor. */
  nextAt: z.string().optional(),
  endedAt: z.string().optional(),
});
export type DeletionView = z.output<typeof DeletionView>;

/** Selects records that meet all given conditions. */
export const RegulationFilter = z.object({
  /** Compared like the user id of an event: trimmed, otherwise exact. */
  userId: Text.optional(),
  regulationType: RegulationType.optional(),
  canceled: z.boolean().optional(),
  /** Overall status of the deletions. Regulations without deletion have none. */
  status: OverallDeletionStatus.optional(),
});
export type RegulationFilter = z.output<typeof RegulationFilter>;

/**
 * One page in creation order. A cursor belongs to the filter that it was made for, any other filter is `invalid`. With `status`,
 * a page may be short or empty before the end. Only a page without `next` is the last one.
 */
export const ListRegulations = defineCall({
  subject: 'regulation.record.list.v1',
  request: z.object({ workspaceId: Ksuid, cursor: Text.optional(), filter: RegulationFilter.optional() }),
  reply: z.object({ records: z.array(RegulationRecord), next: z.string().optional() }),
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE }, reply: { records: [exampleRecord] } },
});

export const GetRegulation = defineCall({
  subject: 'regulation.record.get.v1',
  request: z.object({ workspaceId: Ksuid, id: Uuid }),
  reply: RegulationRecord.extend({
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
    reply: { ...exampleRecord, createdAt: '2026-01-01T00:00:00.000Z' },
  },
});

/** States what was deleted where and when, without any identifier. Signed as canonical JSON (RFC 8785). */
export const DeletionReceipt = z.object({
  version: z.literal(1),
  workspaceId: Ksuid,
  regulationId: Uuid,
  /** The user's match key, as in the audit trail: an HMAC in hex. */
  subject: z.string(),
  requestedAt: z.string(),
  completedAt: z.string(),
  /** Every destination of the regulation and Weir's own stores. */
  destinations: z.array(
    DeletionView.pick({
      destinationId: true,
      status: true,
      attempts: true,
      reason: true,
      forwardedAt: true,
      endedAt: true,
    }).extend({ type: z.string() }),
  ),
  /** The last entry of the workspace's audit trail about this deletion. */
  audit: z.object({ position: z.int(), hash: z.string() }),
});
export type DeletionReceipt = z.output<typeof DeletionReceipt>;

export const SignedReceipt = z.object({
  receipt: DeletionReceipt,
  signature: z.object({
    algorithm: z.literal('Ed25519'),
    /** `kid` of the key in {@link ListReceiptKeys}. */
    keyId: z.string(),
    /** 64 bytes in base64url. */
    value: z.string(),
  }),
});
export type SignedReceipt = z.output<typeof SignedReceipt>;

/** `conflict` until the deletion is complete, and for regulations that delete nothing. */
export const GetRegulationReceipt = defineCall({
  subject: 'regulation.record.receipt.v1',
  request: z.object({ workspaceId: Ksuid, id: Uuid }),
  reply: SignedReceipt,
  deadlineMs: 5_000,
  example: {
    request: { workspaceId: WORKSPACE, id: RECORD },
    reply: {
      receipt: {
        ...{ version: 1, workspaceId: WORKSPACE, regulationId: RECORD, subject: '9f86d081884c7d65' },
        ...{ requestedAt: '2026-01-01T00:00:00.000Z', completedAt: '2026-01-01T00:01:00.000Z' },
        destinations: [
          { destinationId: ID, type: 'WEBHOOK', status: 'complete', attempts: 1, endedAt: '2026-01-01T00:01:00.000Z' },
        ],
        audit: { position: 2, hash: '2c26b46b68ffc68f' },
      },
      signature: { algorithm: 'Ed25519', keyId: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k', value: 'c2lnbmF0dXJl' },
    },
  },
});

/** A public key as JSON Web Key (RFC 8037). */
export const ReceiptKey = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  /** Thumbprint (RFC 7638). */
  kid: z.string(),
  alg: z.literal('EdDSA'),
  use: z.literal('sig'),
});
export type ReceiptKey = z.output<typeof ReceiptKey>;

/** All keys that have signed receipts of this installation. The current key comes first. */
export const ListReceiptKeys = defineCall({
  subject: 'regulation.receipt-key.list.v1',
  request: z.object({}),
  reply: z.object({ keys: z.array(ReceiptKey) }),
  deadlineMs: 2_000,
  example: {
    request: {},
    reply: {
      keys: [
        {
          ...{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
          ...{ kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k', alg: 'EdDSA', use: 'sig' },
        },
      ],
    },
  },
});

/** The suppression is lifted when this returns. A second cancel changes nothing (ruling 11). */
export const CancelRegulation = defineCall({
  subject: 'regulation.record.cancel.v1',
  request: z.object({ workspaceId: Ksuid, id: Uuid, canceledBy: Text }),
  reply: z.object({}),
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE, id: RECORD, canceledBy: 'a@example.com' }, reply: {} },
});

/**
 * Returns which of these users (as `matchIdsOf` gives them) are suppressed now, and which were deleted. Events received up to a
 * deletion stay blocked, even if nothing suppresses the user anymore. Delivery calls this right before it sends.
 */
export const CheckSuppression = defineCall({
  subject: 'regulation.suppression.check.v1',
  request: z.object({ workspaceId: Ksuid, sourceId: Ksuid, userIds: z.array(Text) }),
  reply: z.object({
    suppressed: z.array(z.string()),
    /** Time of the deletion, ISO 8601. A service of the previous Weir version omits this list. */
    deleted: z.array(z.object({ userId: z.string(), until: z.string() })).default([]),
  }),
  deadlineMs: 2_000,
  example: {
    request: { workspaceId: WORKSPACE, sourceId: ID, userIds: ['u1', 'u2'] },
    reply: { suppressed: ['u1'], deleted: [{ userId: 'u2', until: '2026-01-01T00:00:00.000Z' }] },
  },
});

/** Aborts the unfinished deletion tasks of a destination that was deleted. Idempotent. */
export const AbortDestinationTasks = defineCall({
  subject: 'regulation.destination.abort.v1',
  request: z.object({ workspaceId: Ksuid, destinationId: Ksuid }),
  reply: z.object({}),
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE, destinationId: ID }, reply: {} },
});

/** The users to forget. */
const Purge = z.object({
  workspaceId: Ksuid,
  users: z.array(JsonObject),
  /**
   * Identifies the deletion, so that a repeated call continues where the last one stopped. Without it, one call does everything.
   */
  purgeId: Text.optional(),
  /** Epochs of the filter's partitions. Data written for these users in an earlier epoch arrives too late and is not kept. */
  fence: z.array(z.number().int()).optional(),
});
/** The caller repeats the call until this is true. A service of the previous Weir version answers only when done. */
const Purged = z.object({ done: z.boolean().default(true) });

/** Removes samples and frequent values of users from the schema service. Each call works for some seconds. Idempotent. */
export const PurgeSchemaUsers = defineCall({
  subject: 'schema.user.purge.v1',
  request: Purge,
  reply: Purged,
  deadlineMs: 30_000,
  example: { request: { workspaceId: WORKSPACE, users: [{ userId: 'u1' }], purgeId: RECORD }, reply: { done: false } },
});

/** Removes test runs and dead letters of users from the runner. Idempotent. */
export const PurgeRunnerUsers = defineCall({
  subject: 'runner.user.purge.v1',
  request: Purge,
  reply: Purged,
  deadlineMs: 30_000,
  example: { request: { workspaceId: WORKSPACE, users: [{ userId: 'u1' }] }, reply: { done: true } },
});
