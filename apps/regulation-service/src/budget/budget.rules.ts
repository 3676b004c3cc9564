import { AppError, type RegulationBudget } from '@weir/contracts';

export type BudgetName = RegulationBudget['name'];
/** Units that a workspace has per hour. */
export type BudgetLimits = Readonly<Record<BudgetName, number>>;
export type BudgetCost = Readonly<Record<BudgetName, number>>;

/** Long enough for a nightly run of many requests, and short enough for a refused client to wait. */
export const WINDOW_SECONDS = 3_600;

/** One suppression unit per user, and one deletion unit per user and destination. */
export const costOf = ({ users, destinations }: { users: number; destinations: number }): BudgetCost => ({
  suppression: users,
  deletion: users * destinations,
});

/** The budgets that a request draws on. */
export const drawnBudgets = (cost: BudgetCost): BudgetName[] =>
  (['suppression', 'deletion'] as const).filter((name) => cost[name] > 0);

/** Refuses a cost that no hour can cover, because waiting would not help. */
export function checkAgainstLimits(cost: BudgetCost, limits: BudgetLimits): void {
  const name = drawnBudgets(cost).find((drawn) => cost[drawn] > limits[drawn]);
  if (!name) return;
  const message = `the request costs ${cost[name]} ${name} units and an hour has ${limits[name]}: send fewer users`;
  throw new AppError('too_large', message);
}

/** @param budgets The budgets without the request, of which at least one does not cover `cost` */
export function budgetExhausted(budgets: readonly RegulationBudget[], cost: BudgetCost): AppError {
  const short = budgets.filter(({ name, remaining }) => cost[name] > remaining);
  const retryAfterSeconds = Math.max(1, ...short.map(({ resetSeconds }) => resetSeconds));
  const names = short.map(({ name, remaining }) => `${remaining} of the ${cost[name]} ${name} units that it costs`);
  const message = `Nothing was stored: this hour has ${names.join(' and ')} left; try again in ${retryAfterSeconds} s`;
  return new AppError('rate_limited', message, { budgets, retryAfterSeconds });
}
