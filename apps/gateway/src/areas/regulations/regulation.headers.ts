import { createHash } from 'node:crypto';
import {
  type IdempotencyClaim,
  invalidField,
  isAppError,
  type PlannedDeletion,
  RegulationBudget,
} from '@weir/contracts';
import { z } from 'zod';
import { HttpProblem } from '../../http/status.js';
import type { CreateRegulationBody } from './regulation.schemas.js';

/** Documents the header. */
export const IdempotencyKeyHeader = z.object({
  'Idempotency-Key': z.string().max(255).optional().meta({ description: 'Identifies the request for 24 hours' }),
});

const KEY = /^[\x21-\x7e]{1,255}$/;

/** Undefined without a key. Throws `invalid` unless the key is visible ASCII. The message does not repeat the key. */
export function idempotencyClaim(key: string | undefined, body: CreateRegulationBody): IdempotencyClaim | undefined {
  if (key === undefined) return undefined;
  if (!KEY.test(key)) throw invalidField('Idempotency-Key', 'must be 1 to 255 visible ASCII characters');
  return { key, fingerprint: fingerprintOf(body) };
}

/** Equal for bodies with the same meaning. Takes the validated body and ignores the order of the users' keys. */
function fingerprintOf({ regulationType, sourceIds, destinationIds, users }: CreateRegulationBody): string {
  const sorted = users.map((user) => Object.entries(user).sort(([a], [b]) => (a < b ? -1 : 1)));
  const fields = [regulationType, sourceIds ?? null, destinationIds ?? null, sorted];
  return createHash('sha256').update(JSON.stringify(fields)).digest('base64url');
}

/** Window of the limits in seconds. */
const WINDOW_S = 3_600;

/** Destinations that the header names. An answer's headers have few bytes. */
const NAMED_MAX = 10;

/**
 * `Deletion-Warning`: the destinations that will delete nobody, and why. The records have exactly the fields of spec 2.4, so this
 * stands beside them.
 */
export function warningHeaders(undeletable: readonly PlannedDeletion[]): Record<string, string> {
  if (undeletable.length === 0) return {};
  const named = undeletable
    .slice(0, NAMED_MAX)
    .map(({ destinationId, type, reason = '' }) => `${destinationId} (${type}): ${reason}`);
  const others = undeletable.length > NAMED_MAX ? [`${undeletable.length - NAMED_MAX} more: see dryRun=true`] : [];
  return { 'deletion-warning': [...named, ...others].join('; ') };
}

const Exhausted = z.object({ budgets: z.array(RegulationBudget).min(1), retryAfterSeconds: z.int() });

/** `RateLimit-*` of the scarcest budget, and the policies of all budgets that the request used. */
export function budgetHeaders(budgets: readonly RegulationBudget[]): Record<string, string> {
  const [tightest] = [...budgets].sort((a, b) => a.remaining / a.limit - b.remaining / b.limit);
  if (!tightest) return {};
  return {
    'ratelimit-limit': String(tightest.limit),
    'ratelimit-remaining': String(tightest.remaining),
    'ratelimit-reset': String(tightest.resetSeconds),
    'ratelimit-policy': budgets.map(({ name, limit }) => `${limit};w=${WINDOW_S};name="${name}"`).join(', '),
  };
}

/** Turns the service's `rate_limited` into a 429 that says when to retry. Rethrows any other error. */
export function refuseWithHeaders(error: unknown): never {
  if (!isAppError(error) || error.code !== 'rate_limited') throw error;
  const { data } = Exhausted.safeParse(error.details);
  if (!data) throw error;
  const headers = { 'retry-after': String(data.retryAfterSeconds), ...budgetHeaders(data.budgets) };
  throw new HttpProblem(429, 'TOO_MANY_REQUESTS', error.message, headers, data);
}
