import { Injectable } from '@nestjs/common';
import type { RegulationBudget } from '@weir/contracts';
import type { Sql } from '@weir/messaging';
import { drawBudgets, readBudgets } from './budget.repository.js';
import { type BudgetCost, type BudgetLimits, checkAgainstLimits, drawnBudgets } from './budget.rules.js';

/** The hourly budgets of workspaces, with the limits of this installation. */
@Injectable()
export class Budgets {
  constructor(private readonly limits: BudgetLimits) {}

  /** Throws `too_large` for what no hour covers. */
  check(cost: BudgetCost): void {
    checkAgainstLimits(cost, this.limits);
  }

  /** See {@link drawBudgets}: throws `rate_limited`. */
  draw(sql: Sql, workspaceId: string, cost: BudgetCost): Promise<RegulationBudget[]> {
    return drawBudgets(sql, workspaceId, cost, this.limits);
  }

  /** Those that such a request would draw on, as they are now. */
  read(sql: Sql, workspaceId: string, cost: BudgetCost): Promise<RegulationBudget[]> {
    return readBudgets(sql, workspaceId, drawnBudgets(cost), this.limits);
  }
}
