import { isAppError, RegulationBudget } from '@weir/contracts';
import { z } from 'zod';
import { HttpProblem } from '../../http/problem.js';

/** Window of the limits in seconds. */
const WINDOW_S = 3_600;

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
