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
    for (const page of await Promise.all(numbers.map(read))) {
      rows.push(...rowsOf(page));
      last = page;
    }
    number += numbers.length;
  }
  return rows;
}

/** Reads the whole of a list that goes on after a cursor. Longer ones come page by page, as people scroll (`components/more.tsx`). */
export async function allAfter<Row>(
  read: (cursor: string | undefined) => Promise<{ data: readonly Row[]; paging: { next?: string } }>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const { data, paging } = await read(cursor);
    rows.push(...data);
    cursor = cursorOf(paging.next);
  } while (cursor !== undefined);
  return rows;
}

/** The cursor in the address of the next page. */
export function cursorOf(next: string | undefined, name = 'after_cursor'): string | undefined {
  return next ? (new URL(next, 'http://weir').searchParams.get(name) ?? undefined) : undefined;
}
