import { isDatabaseAway, SQL_STATE, sqlStateOf } from './sql.js';

/**
 * Does the work for all items at once. If that fails, does it for each alone, so that one that fails each time holds up no other. Returns
 * those that failed, with their errors. Fails at once if the database is away.
 */
export async function failedOf<T>(
  items: readonly T[],
  work: (some: readonly T[]) => Promise<unknown>,
): Promise<Map<T, unknown>> {
  const failed = new Map<T, unknown>();
  if (items.length === 0) return failed;
  try {
    await work(items);
  } catch (error) {
    if (isNobodysFault(error)) throw error;
    if (items.length > 1) {
      for (const item of items) for (const [one, reason] of await failedOf([item], work)) failed.set(one, reason);
    } else for (const item of items) failed.set(item, error);
  }
  return failed;
}

/** Whether the database is away, so that everything else would fail, too. A statement may take too long because of its own rows. */
export const isNobodysFault = (error: unknown) =>
  isDatabaseAway(error) && sqlStateOf(error) !== SQL_STATE.QUERY_CANCELED;

/** Notes the failure of a part, so that the round goes on with the next. Fails if the database is away. */
export const noteIn = (failures: unknown[]) => (error: unknown) => {
  if (isNobodysFault(error)) throw error;
  failures.push(error);
};

/** Fails with the first failure of a round that went on after it. */
export function throwFirst(failures: Iterable<unknown>): void {
  for (const failure of failures) throw failure;
}
