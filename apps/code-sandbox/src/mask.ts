import { masked } from './guest/mask.js';

/** A shorter value would mask half of the alphabet, and is no secret. */
const SECRET_CHARS_MIN = 4;

/**
 * The values of credentials that are hidden in what people read about a run, the longest first. Events that came out are left
 * as they are, because they are sent so; whoever shows one to others hides credentials in it.
 */
export const secretsOf = (credentials: { value: string }[]): string[] =>
  credentials
    .map(({ value }) => value)
    .filter(({ length }) => length >= SECRET_CHARS_MIN)
    .sort((left, right) => right.length - left.length);

export const maskedText = (text: string, credentials: { value: string }[]): string =>
  masked(text, secretsOf(credentials));
