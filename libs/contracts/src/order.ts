import { z } from 'zod';

/** The order of a list by age. `desc` begins with the newest row, and its cursors lead to older ones. */
export const ListOrder = z.enum(['asc', 'desc']);
export type ListOrder = z.output<typeof ListOrder>;
