import type { ListOrder } from '@weir/contracts';

/** A stretch of an index on the columns of `scope` and then `id`. */
export interface Keyset {
  /** The condition, with parameters from $1 on. */
  where: string;
  /** Its columns, in their order. */
  order: string;
  parameters: unknown[];
}

/**
 * Selects the rows of `table` in which each column of `scope` has its value and the id is above `after`, by id. Compares whole
 * rows instead of single columns. Only the index on exactly these columns has this order, so PostgreSQL never walks all ids in
 * search of a few rows, however it estimates their number. Undefined values select every row. With `desc` it is the way back: rows
 * whose id is below `after`, the newest first.
 */
export function keyset(
  table: string,
  scope: Record<string, string | undefined>,
  after: number,
  direction: ListOrder = 'asc',
): Keyset {
  const given = Object.entries(scope).filter(([, value]) => value !== undefined);
  const columns = given.map(([column]) => `${table}.${column}`);
  const places = given.map((_, at) => `$${at + 1}`);
  const all = [...columns, `${table}.id`];
  const [beyond, upTo] = direction === 'asc' ? ['>', '<='] : ['<', '>='];
  const next = `(${all.join()}) ${beyond} (${[...places, `$${given.length + 1}`].join()})`;
  const within = columns.length > 0 ? ` AND (${columns.join()}) ${upTo} (${places.join()})` : '';
  const order = all.map((column) => (direction === 'asc' ? column : `${column} DESC`)).join();
  return { where: next + within, order, parameters: [...given.map(([, value]) => value), after] };
}
