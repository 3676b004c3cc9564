/**
 * Pages that are asked for at the same time: as many as a browser has connections to a server. The API keeps a page to 50 rows, because each
 * may hold 256 KiB of settings.
 */
const AT_ONCE = 6;

interface Numbered {
  paging: { total: number; next?: string };
}

/** Reads the whole of a list that is numbered in pages, for pages that need all of it. The API keeps at most 10,000 objects of a kind. */
export async function allPages<Page extends Numbered, Row>(
  read: (page: number) => Promise<Page>,
  rowsOf: (page: Page) => readonly Row[],
): Promise<Row[]> {
  let last = await read(1);
  const rows = [...rowsOf(last)];
  const size = Math.max(1, rows.length);
  // rows that come meanwhile may begin another page, so the last page says whether it is the last
  for (let number = 2; last.paging.next; ) {
    const left = Math.ceil((last.paging.total - rows.length) / size);
    const numbers = Array.from({ length: Math.min(Math.max(1, left), AT_ONCE) }, (_, at) => number + at);
    const before = rows.length;
    for (const page of await Promise.all(numbers.map(read))) {
      rows.push(...rowsOf(page));
      last = page;
    }
    number += numbers.length;
    const { next } = last.paging;
    if (next && rows.length === before) throw endless(`page ${number - 1} is empty, and is not the last`);
    if (next && Number(cursorOf(next, 'page')) < number) throw endless(`page ${number - 1} leads back`);
  }
  return rows;
}

/** A page of a list that goes on after a cursor. */
interface Part<Row> {
  data: readonly Row[];
  paging: { next?: string };
}

/** Pages of a list that goes on after a cursor, one after the other. */
async function* parts<Row>(read: (cursor: string | undefined) => Promise<Part<Row>>): AsyncGenerator<Part<Row>> {
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (;;) {
    const part = await read(cursor);
    yield part;
    cursor = cursorOf(part.paging.next);
    if (cursor === undefined) return;
    if (seen.has(cursor)) throw endless(`the cursor ${cursor} came twice`);
    seen.add(cursor);
  }
}

/** Asked on, such a list would keep the page busy for ever. */
const endless = (why: string) => new Error(`The server's list does not end: ${why}.`);

/** Reads the whole of a list that goes on after a cursor. Longer ones come page by page, as people scroll (`components/more.tsx`). */
export async function allAfter<Row>(read: (cursor: string | undefined) => Promise<Part<Row>>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const { data } of parts(read)) rows.push(...data);
  return rows;
}

/** A number of rows, and whether there may be more. */
export interface Counted {
  rows: number;
  isMore: boolean;
}

/** A filtered list may have empty pages before its first row. Each takes the server a second, so a caller that only counts stops here. */
const EMPTY_PAGES_MAX = 3;

/** The number of rows on the first page that has any. Where only the first rows of a list count, `isCounted` tells them from the rest. */
export async function firstCount<Row>(
  read: (cursor: string | undefined) => Promise<Part<Row>>,
  isCounted: (row: Row) => boolean = () => true,
): Promise<Counted> {
  let counted: Counted = { rows: 0, isMore: false };
  let pages = 0;
  for await (const { data, paging } of parts(read)) {
    const last = data.at(-1);
    const isOver = last !== undefined && !isCounted(last);
    counted = { rows: data.filter(isCounted).length, isMore: paging.next !== undefined && !isOver };
    pages += 1;
    if (data.length > 0 || pages === EMPTY_PAGES_MAX) break;
  }
  return counted;
}

/** The cursor in the address of the next page. */
export function cursorOf(next: string | undefined, name = 'after_cursor'): string | undefined {
  return next ? (new URL(next, 'http://weir').searchParams.get(name) ?? undefined) : undefined;
}
