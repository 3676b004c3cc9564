/** A node of a plan as `EXPLAIN (ANALYZE, FORMAT JSON)` shows it. */
export interface QueryPlan {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: QueryPlan[];
}

/** The rows of tables that a statement has read, also those that its filters removed. */
export function rowsVisited(plan: QueryPlan): number {
  const own = plan['Relation Name'] ? plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) : 0;
  return own * plan['Actual Loops'] + (plan.Plans ?? []).reduce((sum, below) => sum + rowsVisited(below), 0);
}
