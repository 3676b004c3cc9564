import { z } from 'zod';
import { defineCall } from '../call.js';
import { Ksuid, Uuid } from '../ids.js';
import { REGULATION_USERS_MAX } from '../limits.js';
import { Text } from '../text.js';
import { RegulatedUser, RegulationType } from './regulations.js';

const WORKSPACE = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const RECORD = '0b9f3d1e-6f0a-4c62-9a3d-2f4c5a6b7c8d';

/** Whether and by which keys a destination can delete, judged by its kind and its configuration. */
export const PlannedDeletion = z.object({
  destinationId: Ksuid,
  /** Added by the gateway, which alone knows it. */
  name: z.string().optional(),
  type: z.string(),
  /** `if_configured` means that the destination's configuration decides, and is not known. */
  deletion: z.enum(['supported', 'if_configured', 'not_supported']),
  /** Why it cannot delete, and what to set. */
  reason: z.string().optional(),
  /** Keys of the given users by which the destination could find them. */
  identifiers: z.array(z.string()),
});
export type PlannedDeletion = z.output<typeof PlannedDeletion>;

/** A workspace's remaining budget for this hour. A user costs one suppression unit per named source, plus one deletion unit per destination. */
export const RegulationBudget = z.object({
  name: z.enum(['suppression', 'deletion']),
  /** Units per hour. */
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
 * Creates one regulation per user, in the order of `users`. They are in force when the call returns. If a budget does not
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
    destinations: z.array(
      z.object({
        id: Ksuid,
        type: Text,
        /** Names of the configuration's properties that are set. Absent means unknown. */
        configKeys: z.array(Text).optional(),
      }),
    ),
    users: z.array(RegulatedUser).min(1).max(REGULATION_USERS_MAX),
    /** With a claim, a repeated request creates nothing and returns the ids of the first. A different body is a `conflict`. */
    idempotency: IdempotencyClaim.optional(),
  }),
  reply: z.object({
    /** Ids only. The caller has the rest, and 5,000 echoed users would not fit one message. */
    ids: z.array(Uuid),
    /** The affected budgets after the call. */
    budgets: z.array(RegulationBudget).optional(),
    /** Destinations that cannot delete as they are. */
    undeletable: z.array(PlannedDeletion).optional(),
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
