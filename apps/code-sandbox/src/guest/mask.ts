import { indexIn, sliceText } from './primordials.js';

const MASK = '***';

/**
 * Hides secrets, the longest first, as one may hold another. It is done where the text is made, because texts that are written
 * to be hard to search cost their own workspace then.
 */
export function masked(text: string, secrets: readonly string[]): string {
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
