import { decodeCursor, encodeCursor } from './cursor.js';
import { ORDERS, type Order, type Slice } from './order.js';
import { PAGE_ITEMS_MAX, type Positioned, pageOf } from './page.js';

export interface VersionsRequest {
  count: number;
  orderBy: Order;
  after?: string | undefined;
}

/** Position after which a list continues. */
export const positionOf = (after: string | undefined): string =>
  after === undefined ? ORDERS.ASC.start : decodeCursor(after).position;

/** `count` limits the whole listing, so the cursor holds the number left. Reads one row more than a page, to detect the end. */
export function versionsSlice({ count, orderBy, after }: VersionsRequest): { slice: Slice; left: number } {
  const cursor = after === undefined ? { position: ORDERS[orderBy].start } : decodeCursor(after);
  const left = Math.min(count, cursor.left ?? count);
  return { slice: { order: orderBy, after: cursor.position, limit: Math.min(left, PAGE_ITEMS_MAX + 1) }, left };
}

export function versionsPage<R extends Positioned, T>(rows: readonly R[], view: (row: R) => T, left: number) {
  const { items, next } = pageOf(rows, view);
  if (next === undefined) return { items };
  return { items, next: encodeCursor({ position: next, left: left - items.length }) };
}
