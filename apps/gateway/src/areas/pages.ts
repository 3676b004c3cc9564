import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

/** One page of a service's list. Pass `next` to get the following page. The last page has no `next`. */
export interface Page<Item, Cursor> {
  items: readonly Item[];
  next?: Cursor | undefined;
}

/** JSON text around a list: `{"libraries":[` and `]}`, or just `[` and `]`. */
export interface Frame {
  open: string;
  close: string;
}

export const bareList: Frame = { open: '[', close: ']' };
export const listUnder = (key: string): Frame => ({ open: `{${JSON.stringify(key)}:[`, close: ']}' });

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
