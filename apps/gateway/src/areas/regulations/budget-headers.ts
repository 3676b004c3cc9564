import { isAppError, RegulationBudget } from '@weir/contracts';
import { z } from 'zod';
import { HttpProblem } from '../../http/problem.js';

/** Seconds that the limits are for. */
const WINDOW_S = 3_600;

const Exhausted = z.object({ budgets: z.array(RegulationBudget).min(1), retryAfterSeconds: z.int() });

/** `RateLimit-*` of the budget that ends first, and the policies of all that the request drew on. */
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

/** Turns the service's `rate_limited` into a 429 that says when to come again. Everything else goes on as it is. */
export function refuseWithHeaders(error: unknown): never {
  if (!isAppError(error) || error.code !== 'rate_limited') throw error;
  const { data } = Exhausted.safeParse(error.details);
  if (!data) throw error;
  const headers = { 'retry-after': String(data.retryAfterSeconds), ...budgetHeaders(data.budgets) };
  throw new HttpProblem(429, 'TOO_MANY_REQUESTS', error.message, headers, data);
}
