/** Whether the text has more than `max` characters (code points). */
export function isLongerThan(text: string, max: number): boolean {
  if (text.length <= max) return false;
  return text.length > 2 * max || [...text].length > max;
}

/** Compares code units, so that the order is the same on every machine and in every locale. */
export const compareText = (left: string, right: string) => (left < right ? -1 : Number(left > right));
