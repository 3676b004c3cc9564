import { Injectable } from '@nestjs/common';
import { AppError, type RegulationBudget } from '@weir/contracts';
import type { Sql } from '@weir/messaging';

type BudgetName = RegulationBudget['name'];
/** Units that a workspace has per hour. */
type BudgetLimits = Readonly<Record<BudgetName, number>>;
export type BudgetCost = Readonly<Record<BudgetName, number>>;

/** Long enough for a nightly run of many requests, and short enough for a refused client to wait. */
const WINDOW_SECONDS = 3_600;

/** The size of a request. A request that names no source applies to all of them, with one row per user. */
interface Size {
  users: number;
  sources: number;
  destinations: number;
}

/** One unit for each row to store: a suppression per user and named source, and a deletion per user and destination. */
export const costOf = ({ users, sources, destinations }: Size): BudgetCost => ({
  suppression: users * Math.max(1, sources),
  deletion: users * destinations,
});

/** A refusal names what multiplies the users. */
const FACTORS = { suppression: 'sources', deletion: 'destinations' } as const;

/** The budgets that a request draws on. */
export const drawnBudgets = (cost: BudgetCost): BudgetName[] =>
  (['suppression', 'deletion'] as const).filter((name) => cost[name] > 0);

/** Refuses a cost that no hour can cover, because waiting would not help. */
export function checkAgainstLimits(cost: BudgetCost, limits: BudgetLimits): void {
  const name = drawnBudgets(cost).find((drawn) => cost[drawn] > limits[drawn]);
  if (!name) return;
  const message = `the request costs ${cost[name]} ${name} units and an hour has ${limits[name]}: send fewer users or ${FACTORS[name]}`;
  throw new AppError('too_large', message);
}

/** @param budgets The budgets without the request. At least one of them does not cover `cost` */
export function budgetExhausted(budgets: readonly RegulationBudget[], cost: BudgetCost): AppError {
  const short = budgets.filter(({ name, remaining }) => cost[name] > remaining);
  const retryAfterSeconds = Math.max(1, ...short.map(({ resetSeconds }) => resetSeconds));
  const names = short.map(
    ({ name, remaining }) =>
      `${remaining} of the ${cost[name]} ${name} units that it costs (users times ${FACTORS[name]})`,
  );
  const message = `Nothing was stored: this hour has ${names.join(' and ')} left; try again in ${retryAfterSeconds} s`;
  return new AppError('rate_limited', message, { budgets, retryAfterSeconds });
}

interface BudgetRow {
  name: BudgetName;
  used: string;
  resetSeconds: number;
}

/**
 * Draws the cost from the workspace's hour, or throws `rate_limited`. The caller must let that error end its transaction, because
 * the rollback returns what was drawn. An hour begins with the first request after the previous hour has ended.
 */
export async function drawBudgets(
  sql: Sql,
  workspaceId: string,
  cost: BudgetCost,
  limits: BudgetLimits,
): Promise<RegulationBudget[]> {
  const names = drawnBudgets(cost);
  const { rows } = await sql.run<BudgetRow>(
    `INSERT INTO budgets AS budget (workspace_id, name, window_started_at, used)
     SELECT $1, name, now(), cost FROM unnest($2::text[], $3::bigint[]) AS drawn (name, cost)
     ON CONFLICT (workspace_id, name) DO UPDATE SET
       used = excluded.used + CASE WHEN ${HAS_ENDED} THEN 0 ELSE budget.used END,
       window_started_at = CASE WHEN ${HAS_ENDED} THEN now() ELSE budget.window_started_at END
     RETURNING name, used, ${RESET_SECONDS}`,
    [workspaceId, names, names.map((name) => cost[name])],
  );
  const isShort = rows.some(({ name, used }) => Number(used) > limits[name]);
  if (!isShort) return rows.map((row) => viewOf(row, limits));
  throw budgetExhausted(
    rows.map((row) => viewOf({ ...row, used: String(Number(row.used) - cost[row.name]) }, limits)),
    cost,
  );
}

/** The current budgets of these names. Draws nothing. */
export async function readBudgets(
  sql: Sql,
  workspaceId: string,
  names: readonly BudgetName[],
  limits: BudgetLimits,
): Promise<RegulationBudget[]> {
  const { rows } = await sql.run<BudgetRow>(
    `SELECT name, used, ${RESET_SECONDS} FROM budgets AS budget
     WHERE workspace_id = $1 AND name = ANY($2::text[]) AND NOT ${HAS_ENDED}`,
    [workspaceId, names],
  );
  return names.map((name) => {
    const untouched = { name, used: '0', resetSeconds: 0 };
    return viewOf(rows.find((row) => row.name === name) ?? untouched, limits);
  });
}

const HAS_ENDED = `(budget.window_started_at <= now() - interval '${WINDOW_SECONDS} seconds')`;
const RESET_SECONDS = `least(${WINDOW_SECONDS}, ceil(extract(epoch FROM
  budget.window_started_at + interval '${WINDOW_SECONDS} seconds' - now())))::int AS "resetSeconds"`;

const viewOf = ({ name, used, resetSeconds }: BudgetRow, limits: BudgetLimits): RegulationBudget => ({
  name,
  limit: limits[name],
  // Negative only if the operator has lowered the limit in the meantime.
  remaining: Math.max(0, limits[name] - Number(used)),
  resetSeconds,
});

/** Hourly budgets of workspaces, with the limits of this installation. */
@Injectable()
export class Budgets {
  constructor(private readonly limits: BudgetLimits) {}

  /** Throws `too_large` for a cost that no hour can cover. */
  check(cost: BudgetCost): void {
    checkAgainstLimits(cost, this.limits);
  }

  /** Throws `rate_limited` (see {@link drawBudgets}). */
  draw(sql: Sql, workspaceId: string, cost: BudgetCost): Promise<RegulationBudget[]> {
    return drawBudgets(sql, workspaceId, cost, this.limits);
  }

  /** The current budgets that such a request would draw on. */
  read(sql: Sql, workspaceId: string, cost: BudgetCost): Promise<RegulationBudget[]> {
    return readBudgets(sql, workspaceId, drawnBudgets(cost), this.limits);
  }
}
