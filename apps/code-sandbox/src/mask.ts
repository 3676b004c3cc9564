import { withoutCredentials } from './guest/mask.js';

/** Shorter values are not secrets, and masking them would hide single letters everywhere. */
const SECRET_CHARS_MIN = 4;

/**
 * Credential values to mask in what people read about a run, longest first. Output events keep them because they are sent as they
 * are. Callers that show such an event mask it.
 */
export const secretsOf = (credentials: { value: string }[]): string[] =>
  credentials
    .map(({ value }) => value)
    .filter(({ length }) => length >= SECRET_CHARS_MIN)
    .sort((left, right) => right.length - left.length);

export const textWithoutCredentials = (text: string, credentials: { value: string }[]): string =>
  withoutCredentials(text, secretsOf(credentials));
