import { Injectable } from '@nestjs/common';
import type { RegulationBudget } from '@weir/contracts';
import type { Sql } from '@weir/messaging';
import { drawBudgets, readBudgets } from './budget.repository.js';
import { type BudgetCost, type BudgetLimits, checkAgainstLimits, drawnBudgets } from './budget.rules.js';

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
