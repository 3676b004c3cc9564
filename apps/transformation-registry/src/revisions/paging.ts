import { invalidField, PAYLOAD_BYTES_MAX } from '@weir/contracts';
import { z } from 'zod';

/** SQL parts of a list by position. They are constants, so they are safe to build SQL from. */
export const ORDERS = {
  ASC: { compare: '>', start: '0' },
  DESC: { compare: '<', start: '9223372036854775807' },
} as const;

export type Order = keyof typeof ORDERS;

/** A slice of a list of revisions. */
export interface Slice {
  order: Order;
  /** Position of the last item seen. */
  after: string;
  limit: number;
}

const Cursor = z.object({
  /** Position of the last item on the previous page. A bigint as text. */
  position: z.string().regex(/^\d{1,18}$/),
  /** Items that the list may still return, if the request had a count. */
  left: z.number().int().positive().optional(),
});
export type Cursor = z.output<typeof Cursor>;

/** Opaque to callers. */
export const encodeCursor = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString('base64url');

export function decodeCursor(text: string): Cursor {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  } catch (cause) {
    throw Object.assign(invalidField('after', 'is not a cursor of this list'), { cause });
  }
}

/** Items on one page. Bounds what one query reads if every code has the maximum size. */
export const PAGE_ITEMS_MAX = 50;
/** Bytes of the items on one page. The rest of a message is for the envelope and the cursor. */
export const PAGE_BYTES_MAX = PAYLOAD_BYTES_MAX - 4_096;

/** A row with its position in the list's order. */
export interface Positioned {
  position: string;
}

export interface Page<T> {
  items: T[];
  /** Position of the last item. Missing if the list ends with this page. */
  next?: string;
}

/** The first rows that fit one message, at least one. `rows` has one row more than a page if the list continues. */
export function pageOf<R extends Positioned, T>(
  rows: readonly R[],
  view: (row: R) => T,
  bytesMax = PAGE_BYTES_MAX,
): Page<T> {
  const items: T[] = [];
  let bytes = 0;
  let last: R | undefined;
  for (const row of rows.slice(0, PAGE_ITEMS_MAX)) {
    const item = view(row);
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    if (last && bytes > bytesMax) break;
    items.push(item);
    last = row;
  }
  return last && items.length < rows.length ? { items, next: last.position } : { items };
}

export interface RevisionsRequest {
  count: number;
  orderBy: Order;
  after?: string | undefined;
}

/** Position after which a list continues. */
export const positionOf = (after: string | undefined): string =>
  after === undefined ? ORDERS.ASC.start : decodeCursor(after).position;

/** `count` limits the whole listing, so the cursor holds the number left. Reads one row more than a page, to detect the end. */
export function revisionsSlice({ count, orderBy, after }: RevisionsRequest): { slice: Slice; left: number } {
  const cursor = after === undefined ? { position: ORDERS[orderBy].start } : decodeCursor(after);
  const left = Math.min(count, cursor.left ?? count);
  return { slice: { order: orderBy, after: cursor.position, limit: Math.min(left, PAGE_ITEMS_MAX + 1) }, left };
}

export function revisionsPage<R extends Positioned, T>(rows: readonly R[], view: (row: R) => T, left: number) {
  const { items, next } = pageOf(rows, view);
  if (next === undefined) return { items };
  return { items, next: encodeCursor({ position: next, left: left - items.length }) };
}
