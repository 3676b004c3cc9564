import { createHash } from 'node:crypto';
import { isGiven } from './paths.js';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
export const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** A SHA-256 in hexadecimal: hashed by the sender already. */
export const isSha256 = (text: string): boolean => /^[a-f0-9]{64}$/i.test(text);

/** SHA-256 of a value as it is; what is hashed already stays. */
export const hashed = (value: unknown): string | undefined => hashOf(value, (text) => text);
/** Without spaces around it, in lower case: what every advertising vendor asks of e-mails, names and places. */
export const hashedWord = (value: unknown): string | undefined => hashOf(value, normalizedWord);
/** Digits only, without leading zeros; the country code is the sender's to give. */
export const hashedPhone = (value: unknown): string | undefined => hashOf(value, normalizedPhone);
/** Lower case without spaces anywhere, as for cities. */
export const hashedCompact = (value: unknown): string | undefined =>
  hashOf(value, (text) => normalizedWord(text).replace(/\s+/g, ''));

export const normalizedWord = (text: string): string => text.trim().toLowerCase();
export const normalizedPhone = (text: string): string => text.replace(/\D/g, '').replace(/^0+/, '');

function hashOf(value: unknown, normalize: (text: string) => string): string | undefined {
  if (!isGiven(value) || typeof value === 'object') return undefined;
  const text = String(value);
  return isSha256(text) ? text.toLowerCase() : sha256(normalize(text));
}
