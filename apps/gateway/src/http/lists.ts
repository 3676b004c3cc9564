import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { INVENTORY_PAGE_SIZE } from '@weir/contracts';
import { z } from 'zod';

/** One page of a service's list. Pass `next` to get the following page. The last page has no `next`. */
export interface Page<Item, Cursor> {
  items: readonly Item[];
  next?: Cursor | undefined;
}

/** JSON text around a list: `{"libraries":[` and `]}`, or just `[` and `]`. */
interface Frame {
  open: string;
  close: string;
}

export const bareList: Frame = { open: '[', close: ']' };
export const listUnder = (key: string): Frame => ({ open: `{${JSON.stringify(key)}:[`, close: ']}' });
/** One page of a list, with the `paging` behind it. */
export const pageUnder = (key: string, paging: Paging): Frame => ({
  ...listUnder(key),
  close: `],"paging":${JSON.stringify(paging)}}`,
});

/**
 * Streams a list page by page, so it never holds more than one page. Requests the first page before it answers, so that a refusal
 * becomes a proper error. A later fault breaks the connection, so that half a list never looks complete. `List` is the type of
 * the JSON.
 */
export async function answerList<List, Item, Cursor>(
  frame: Frame,
  ask: (after: Cursor | undefined) => Promise<Page<Item, Cursor>>,
): Promise<List> {
  const first = await ask(undefined);
  const stream = Readable.from(jsonOf(frame, first, ask), { objectMode: false });
  return new StreamableFile(stream, { type: 'application/json; charset=utf-8' }) as List;
}

async function* jsonOf<Item, Cursor>(
  { open, close }: Frame,
  first: Page<Item, Cursor>,
  ask: (after: Cursor) => Promise<Page<Item, Cursor>>,
): AsyncGenerator<string> {
  let lead = open;
  for (let page = first; ; page = await ask(page.next)) {
    if (page.items.length > 0) {
      yield lead + JSON.stringify(page.items).slice(1, -1);
      lead = ',';
    }
    if (page.next === undefined) break;
  }
  yield lead === open ? open + close : close;
}

type Filters = Readonly<Record<string, string | number | boolean | undefined>>;

/** Query string of the filters that are given. */
function queryOf(filters: Filters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) query.set(name, String(value));
  return query.toString();
}

/** The `paging` of a list with cursors. `next` is the relative path of the next page, with the same filters. */
export const nextPage = (path: string, cursor: string | undefined, filters: Filters = {}): { next?: string } =>
  cursor === undefined ? {} : { next: `${path}?${queryOf({ ...filters, after_cursor: cursor })}` };

/** `Link` header to the next page (RFC 8288), relative to the request's host. */
export const nextLink = (path: string, query: Filters): string => `<${path}?${queryOf(query)}>; rel="next"`;

/** Total of rows and path of the next page. The last page has no `next`. */
export const Paging = z
  .object({
    total: z.int(),
    next: z.string().optional().meta({ description: 'Path of the next page. The last page has none' }),
  })
  .meta({ id: 'Paging' });
/** Paging of a list with cursors, which has no total. */
export const CursorPaging = Paging.pick({ next: true }).meta({ id: 'CursorPaging' });
export type Paging = z.output<typeof Paging>;

/** Paging of a list at `path`. The next page keeps the query parameters in `filters`. */
export function pagingOf(path: string, page: number, total: number, filters: Filters = {}): Paging {
  if (page * INVENTORY_PAGE_SIZE >= total) return { total };
  return { total, next: `${path}?${queryOf({ page: page + 1, ...filters })}` };
}
