import { PlainTypeError } from './primordials.js';
import { settings } from './settings.js';

/** Returns the value of a workspace credential, or undefined. */
export function getCredential(key: unknown): string | undefined {
  if (key === null || key === undefined) throw new PlainTypeError('Key should be valid and defined');
  const { credentials } = settings;
  for (let index = 0; index < credentials.length; index += 1) {
    if (credentials[index]?.key === key) return credentials[index]?.value;
  }
  return undefined;
}
