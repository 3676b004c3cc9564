import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

/** One page of a list as a service answers it; asked on with `next` until that is missing. */
export interface Page<Item, Cursor> {
  items: readonly Item[];
  next?: Cursor | undefined;
}

/** The texts around a list in its JSON: `{"libraries":[` and `]}`, or just `[` and `]`. */
export interface Frame {
  open: string;
  close: string;
}

export const bareList: Frame = { open: '[', close: ']' };
export const listUnder = (key: string): Frame => ({ open: `{${JSON.stringify(key)}:[`, close: ']}' });

/**
 * Answers a list whose pages come from a service one by one, and holds one of them at a time however long the list is. The
 * first page is asked before anything is answered, so that a refusal is a proper error; a fault later on breaks the
 * connection, so that half a list never looks like a whole one. The type says what the JSON is: `List`.
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
