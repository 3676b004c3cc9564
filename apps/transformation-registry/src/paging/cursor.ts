import { invalidField } from '@weir/contracts';
import { z } from 'zod';

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
