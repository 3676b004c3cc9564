import { AppError, type RegulationBudget } from '@weir/contracts';

export type BudgetName = RegulationBudget['name'];
/** Tokens that a workspace has for each hour. */
export type BudgetLimits = Readonly<Record<BudgetName, number>>;
export type BudgetCost = Readonly<Record<BudgetName, number>>;

/** Long enough for a nightly run of many requests, short enough that a refused client waits for it. */
export const WINDOW_SECONDS = 3_600;

/** One suppression token for each user; one deletion token for each user at each destination. */
export const costOf = ({ users, destinations }: { users: number; destinations: number }): BudgetCost => ({
  suppression: users,
  deletion: users * destinations,
});

/** Budgets that a request draws on at all. */
export const drawnBudgets = (cost: BudgetCost): BudgetName[] =>
  (['suppression', 'deletion'] as const).filter((name) => cost[name] > 0);

/** Refuses what no hour could ever cover: waiting would not help. */
export function checkAgainstLimits(cost: BudgetCost, limits: BudgetLimits): void {
  const name = drawnBudgets(cost).find((drawn) => cost[drawn] > limits[drawn]);
  if (!name) return;
  const message = `the request costs ${cost[name]} ${name} tokens and an hour has ${limits[name]}: send fewer users`;
  throw new AppError('too_large', message);
}

/** `budgets` as they are without the request, of which some do not cover `cost`. */
export function budgetExhausted(budgets: readonly RegulationBudget[], cost: BudgetCost): AppError {
  const short = budgets.filter(({ name, remaining }) => cost[name] > remaining);
  const retryAfterSeconds = Math.max(1, ...short.map(({ resetSeconds }) => resetSeconds));
  const names = short.map(({ name, remaining }) => `${remaining} of the ${cost[name]} ${name} tokens that it costs`);
  const message = `Nothing was stored: this hour has ${names.join(' and ')} left; try again in ${retryAfterSeconds} s`;
  return new AppError('rate_limited', message, { budgets, retryAfterSeconds });
}
