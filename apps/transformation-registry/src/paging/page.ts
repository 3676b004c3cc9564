import { PAYLOAD_BYTES_MAX } from '@weir/contracts';

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
