import { z } from 'zod';
import { defineCall } from '../call.js';
import { JsonObject, Ksuid } from '../ids.js';
import { Text } from '../text.js';

const WORKSPACE = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const ID = '0ujzPyRiIAffKhBux4PvQdDqMHY';
const RECORD = '0b9f3d1e-6f0a-4c62-9a3d-2f4c5a6b7c8d';

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
  /** Contents of Weir's own store, or the destination's name, for people. The gateway adds the name while the destination exists. */
  name: z.string().optional(),
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

/**
 * Fact (core NATS) that the outbox publishes once a regulation with deletions is committed. It only wakes the eraser early. The
 * tasks are the truth, and the eraser also polls them.
 */
export const DELETION_REQUESTED_SUBJECT = 'regulation.deletion.requested.v1';

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
const Purged = z.object({
  done: z.boolean().default(true),
  /** Segments of the archive that cannot be read, and stay as they are. Said when done. */
  unreadable: z.int().optional(),
});

/** Removes samples and frequent values of users from the schema service. Each call works for some seconds. Idempotent. */
export const PurgeSchemaUsers = defineCall({
  subject: 'schema.user.purge.v1',
  request: Purge,
  reply: Purged,
  deadlineMs: 30_000,
  example: { request: { workspaceId: WORKSPACE, users: [{ userId: 'u1' }], purgeId: RECORD }, reply: { done: false } },
});

/** Removes dead letters of users from the delivery service. Idempotent. */
export const PurgeDeliveryUsers = defineCall({
  subject: 'delivery.user.purge.v1',
  request: Purge,
  reply: Purged,
  deadlineMs: 30_000,
  example: { request: { workspaceId: WORKSPACE, users: [{ userId: 'u1' }] }, reply: { done: true } },
});

/**
 * Removes test runs of users from the test runner. Idempotent. Version 1 also removed dead letters, so nothing answers it any
 * more: an eraser that still asks for it waits until it is replaced.
 */
export const PurgeRunnerUsers = defineCall({
  subject: 'runner.user.purge.v2',
  request: Purge,
  reply: Purged,
  deadlineMs: 30_000,
  example: { request: { workspaceId: WORKSPACE, users: [{ userId: 'u1' }] }, reply: { done: true } },
});
