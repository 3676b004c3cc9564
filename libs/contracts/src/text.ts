import { z } from 'zod';

const REPLACEMENT = '\uFFFD';

/** Whether a PostgreSQL text column and UTF-8 can hold the text. Neither can hold U+0000 or half of a surrogate pair. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Replaces U+0000 and halves of surrogate pairs with U+FFFD. Normalises nothing else. */
export function storableText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', REPLACEMENT) : wellFormed;
}

/**
 * A text from outside that names something or is stored: an id, a name, a parameter, code. Content of events belongs to the
 * customer and passes unchanged. Code that writes part of an event into a text column uses {@link storableText}.
 */
export const Text = z.string().refine(isStorableText, 'must not hold a NUL character or half of a surrogate pair');
