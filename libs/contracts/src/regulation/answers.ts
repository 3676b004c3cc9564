import { z } from 'zod';
import { defineCall } from '../call.js';
import { Ksuid, Uuid } from '../ids.js';

const HOLDER = '0b9f3d1e-6f0a-4c62-9a3d-2f4c5a6b7c8d';

/**
 * Lets a process use answers of `CheckSuppression` again for some seconds. Until then no new regulation is answered before
 * the process has dropped what it knew, which it is told on {@link recalledAnswersSubject}.
 */
export const HoldAnswers = defineCall({
  subject: 'regulation.answers.hold.v1',
  request: z.object({
    /** Names one lease of one process. */
    holder: Uuid,
    /** Ends the lease. */
    ends: z.boolean().default(false),
  }),
  /** A lease that was revoked or has ended is never held again. */
  reply: z.object({ held: z.boolean() }),
  deadlineMs: 1_000,
  example: { request: { holder: HOLDER, ends: false }, reply: { held: true } },
});

/** An answer lease lasts this long in the database, and is renewed every second. */
export const ANSWER_LEASE_MS = 3_000;
/** Its holder believes in it for this long after it asked. Shorter, so that it stops before others stop to wait for it. */
export const ANSWERS_HELD_MS = 2_000;

/** Tells one holder of answers to drop them. It answers once it has. */
export const recalledAnswersSubject = (holder: string) => `regulation.answers.recalled.${holder}`;
/** Without a workspace, the answers about all of them. */
export const RecalledAnswers = z.object({ workspaceId: Ksuid.optional() });
export type RecalledAnswers = z.output<typeof RecalledAnswers>;
