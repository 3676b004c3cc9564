const REPLACEMENT = '\uFFFD';

/** Text as the database can hold it: U+0000 and lone surrogates become U+FFFD. Nothing else is normalised. */
export function cleanText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', REPLACEMENT) : wellFormed;
}

/** Whether the text has more than `max` characters (code points). */
export function isLongerThan(text: string, max: number): boolean {
  if (text.length <= max) return false;
  return text.length > 2 * max || [...text].length > max;
}

/** In the order of code units: the same on every machine and in every locale. */
export const compareText = (left: string, right: string) => (left < right ? -1 : Number(left > right));
