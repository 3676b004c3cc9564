import { serverUrls } from '@weir/contracts';

/** Values from documentation, examples and defaults of other software. Attackers try them first. */
const PLACEHOLDERS =
  /^((password|passwd|passw0rd|secret|change[-_ ]?me|letmein|welcome|qwerty|admin|administrator|root|example|default|test|postgres|nats|weir|user|guest)\d*|\d{1,10})$/i;
const KEY_BYTES = 32;

/**
 * Returns the names of variables with a value that is easy to guess: a well-known password, alone or in a URL, a URL with equal
 * user and password, or a key of one repeated byte.
 */
export function placeholdersIn(values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' && isPlaceholder(name, value) ? name : [],
  );
}

/** Whether a password is among those that attackers try first. */
export const isPlaceholderPassword = (password: string): boolean => PLACEHOLDERS.test(password);

function isPlaceholder(name: string, value: string): boolean {
  if (/_(KEY|PEPPER)$/.test(name)) return value.split(',').some((key) => isOneByteRepeated(Buffer.from(key, 'base64')));
  if (/_(PASSWORD|TOKEN)$/.test(name)) return isPlaceholderPassword(value);
  return /_URL$/.test(name) && serverUrls(value).some(isGuessableUrl);
}

const isOneByteRepeated = (key: Buffer) => key.length === KEY_BYTES && key.every((byte) => byte === key[0]);

function isGuessableUrl(value: string): boolean {
  const { username = '', password = '' } = URL.parse(value) ?? {};
  return password !== '' && (password === username || PLACEHOLDERS.test(decodeURIComponent(password)));
}
