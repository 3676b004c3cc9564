import { indexIn, sliceText } from './primordials.js';

const MASK = '***';

/**
 * Masks secrets, longest first because one may contain another. Runs in the guest, so that text crafted to be slow to search
 * costs only its own workspace.
 */
export function withoutCredentials(text: string, secrets: readonly string[]): string {
  let shown = text;
  for (let index = 0; index < secrets.length; index += 1) shown = without(shown, secrets[index] as string);
  return shown;
}

function without(text: string, secret: string): string {
  let shown = '';
  let from = 0;
  for (let at = indexIn(text, secret); at !== -1; at = indexIn(text, secret, from)) {
    shown += `${sliceText(text, from, at)}${MASK}`;
    from = at + secret.length;
  }
  return from === 0 ? text : `${shown}${sliceText(text, from)}`;
}
