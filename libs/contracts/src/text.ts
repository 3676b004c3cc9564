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

/**
 * V8 searches longer texts by skipping ahead, and starts over at each position. A crafted pair takes half a minute (500 KB of one
 * letter, and 120 KB of it around another letter). Up to this length, the worst case is this many comparisons per position.
 */
const NATIVE_LENGTH_MAX = 64;

/**
 * `text.indexOf(part, from)` in time linear in the sum of both lengths, not in their product (Knuth, Morris and Pratt). Use it
 * when text and part both come from outside.
 */
export function indexOfText(text: string, part: string, from = 0): number {
  if (part.length <= NATIVE_LENGTH_MAX || text.length - from < part.length) return text.indexOf(part, from);
  const borders = bordersOf(part);
  let matched = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    while (matched > 0 && part.charCodeAt(matched) !== code) matched = borders[matched - 1] as number;
    if (part.charCodeAt(matched) === code) matched += 1;
    if (matched === part.length) return at - part.length + 1;
  }
  return -1;
}

/** For each prefix of the part, the length of its longest proper suffix that is also a prefix. */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length);
  let border = 0;
  for (let at = 1; at < part.length; at += 1) {
    while (border > 0 && part.charCodeAt(border) !== part.charCodeAt(at)) border = borders[border - 1] as number;
    if (part.charCodeAt(border) === part.charCodeAt(at)) border += 1;
    borders[at] = border;
  }
  return borders;
}
