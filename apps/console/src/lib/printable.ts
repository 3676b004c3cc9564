/** Characters that show nothing, or turn the text around them: controls, zero-width, and marks of direction. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const KEPT = new Set(['\n', '\t']);

/** Text of a stranger as one can read it: hidden characters become visible, and a long one is clipped. */
export function printable(text: string, max: number): { shown: string; left: number } {
  const clipped = text.length > max ? text.slice(0, max) : text;
  const shown = clipped.replace(HIDDEN, (char) => (KEPT.has(char) ? char : escapeOf(char)));
  return { shown, left: text.length - clipped.length };
}

/** The name of a thing within a sentence. */
export const shortName = (name: string): string => printable(name, 60).shown;

const escapeOf = (char: string): string => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
