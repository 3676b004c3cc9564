/** Lists answer in pages. The console shows whole lists up to this many pages, and says if there are more. */
const PAGES_MAX = 40;

/** Reads a list that is numbered in pages until there is no next one. */
export async function allPages<Page extends { paging: { next?: string } }, Row>(
  read: (page: number) => Promise<Page>,
  rowsOf: (page: Page) => readonly Row[],
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let number = 1; number <= PAGES_MAX; number += 1) {
    const page = await read(number);
    rows.push(...rowsOf(page));
    if (!page.paging.next) break;
  }
  return rows;
}

/** The cursor in the address of the next page. */
export function cursorOf(next: string | undefined, name = 'after_cursor'): string | undefined {
  return next ? (new URL(next, 'http://weir').searchParams.get(name) ?? undefined) : undefined;
}
