/** A shorter value would mask half of the alphabet, and is no secret. */
const SECRET_CHARS_MIN = 4;
const MASK = '***';

/**
 * Hides the values of credentials in what people read about a run. Events that came out are left as they are: what the user
 * puts there is meant to be there. The longest goes first, as one may hold another.
 */
export function maskerOf(credentials: { value: string }[]): (text: string) => string {
  const values = credentials.map(({ value }) => value).filter((value) => value.length >= SECRET_CHARS_MIN);
  values.sort((left, right) => right.length - left.length);
  return (text) => values.reduce((masked, value) => masked.replaceAll(value, MASK), text);
}
