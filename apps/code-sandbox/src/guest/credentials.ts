import { settings } from './settings.js';

/** The value of a credential of the workspace, or undefined. */
export function getCredential(key: unknown): string | undefined {
  if (key === null || key === undefined) throw new TypeError('Key should be valid and defined');
  return settings.credentials.find((credential) => credential.key === key)?.value;
}
