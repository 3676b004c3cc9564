import { z } from 'zod';

/** The order of a list by age. `desc` begins with the newest row, and its cursors lead to older ones. */
export const ListOrder = z.enum(['asc', 'desc']);
export type ListOrder = z.output<typeof ListOrder>;

/** The number after which a page of either order begins. Rows count from 1, so 0 is the start of both: the end, on the way back. */
export const startAfter = (after: number | undefined, order: ListOrder | undefined): number =>
  order === 'desc' && !after ? Number.MAX_SAFE_INTEGER : (after ?? 0);
