import { isPlaceholderPassword } from '@weir/service-kit';

/** Shorter passwords can be guessed even at a slow rate. */
const CHARS_MIN = 12;
/** Fewer different characters than this form a pattern. */
const DIFFERENT_CHARS_MIN = 5;

/** The reason why the password is easy to guess. Undefined if there is none. */
export function weaknessOf(user: string, password: string): string | undefined {
  const lower = password.toLowerCase();
  if (isPlaceholderPassword(password)) return 'is a well-known password';
  if (lower.includes(user.toLowerCase()) && password.length - user.length < CHARS_MIN / 2) return 'is the user name';
  if (password.length < CHARS_MIN) return `has fewer than ${CHARS_MIN} characters`;
  return new Set(lower).size < DIFFERENT_CHARS_MIN ? 'repeats the same few characters' : undefined;
}
