import { answer, api, type Schema } from '../../api/client.js';

export type Type = Schema<'CreateRegulation'>['regulationType'];
export type Plan = Omit<Schema<'RegulationPlan'>, 'dryRun'>;

/** Users of one request. The API takes 5,000: a fifth shows progress, and leaves room for 100 destinations. */
const USERS_EACH = 1_000;

export const batchesOf = (users: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(users.length / USERS_EACH) }, (_, at) =>
    users.slice(at * USERS_EACH, (at + 1) * USERS_EACH),
  );

/** Without `destinationIds`, a deletion is for all destinations, also for a role that cannot list them. */
export const bodyOf = (type: Type, users: readonly string[]): Schema<'CreateRegulation'> => ({
  regulationType: type,
  users: users.map((userId) => ({ userId })),
});

/** Plans regulations of all these users: what they would do and cost. Each batch is planned on the server, and nothing is stored. */
export async function planOf(type: Type, users: readonly string[], onUsers: (done: number) => void): Promise<Plan> {
  const plans: Plan[] = [];
  for (const some of batchesOf(users)) {
    const params = { query: { dryRun: true } };
    const plan = await answer(api.POST('/v2/regulations', { params, body: bodyOf(type, some) }));
    if (!('dryRun' in plan)) throw new Error('The server did not answer with a plan.');
    plans.push(plan);
    onUsers(plans.reduce((sum, one) => sum + one.users, 0));
  }
  const [first] = plans;
  if (!first) throw new Error('No users are named.');
  return plans.slice(1).reduce(together, first);
}

/** Joins two plans that were made from the same budgets. */
export function together(one: Plan, other: Plan): Plan {
  const cost = {
    suppression: one.cost.suppression + other.cost.suppression,
    deletion: one.cost.deletion + other.cost.deletion,
  };
  const covered = one.covered && other.covered && one.budgets.every(({ name, remaining }) => cost[name] <= remaining);
  return { ...one, users: one.users + other.users, cost, covered };
}
