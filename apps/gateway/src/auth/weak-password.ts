import { isPlaceholderPassword } from '@weir/service-kit';

/** Shorter ones are tried out, however slowly one may try. */
const CHARS_MIN = 12;
/** Fewer different characters than this are a pattern. */
const DIFFERENT_CHARS_MIN = 5;

/** Why everybody could guess the password; undefined when there is no such reason. */
export function weaknessOf(user: string, password: string): string | undefined {
  const lower = password.toLowerCase();
  if (isPlaceholderPassword(password)) return 'is a well-known password';
  if (lower.includes(user.toLowerCase()) && password.length - user.length < CHARS_MIN / 2) return 'is the user name';
  if (password.length < CHARS_MIN) return `has fewer than ${CHARS_MIN} characters`;
  return new Set(lower).size < DIFFERENT_CHARS_MIN ? 'repeats the same few characters' : undefined;
}
