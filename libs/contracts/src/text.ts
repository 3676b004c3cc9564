import { z } from 'zod';

const REPLACEMENT = '\uFFFD';

/** Whether a column of PostgreSQL and UTF-8 can hold the text: neither has room for U+0000 or half of a surrogate pair. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** The text as it can be held: U+0000 and halves of surrogate pairs become U+FFFD. Nothing else is normalised. */
export function storableText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', REPLACEMENT) : wellFormed;
}

/**
 * A text from outside that names something or that is stored: an id, a name, a parameter, code. What events hold is the
 * customer's and passes as it is; whoever writes a part of it into a text column uses {@link storableText}.
 */
export const Text = z.string().refine(isStorableText, 'must not hold a NUL character or half of a surrogate pair');
