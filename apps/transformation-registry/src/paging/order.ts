/** SQL parts of a list by position. They are constants, so they are safe to build SQL from. */
export const ORDERS = {
  ASC: { compare: '>', start: '0' },
  DESC: { compare: '<', start: '9223372036854775807' },
} as const;

export type Order = keyof typeof ORDERS;

/** A slice of a versions listing. */
export interface Slice {
  order: Order;
  /** Position of the last item seen. */
  after: string;
  limit: number;
}
