import { createHash } from 'node:crypto';
import { NAME_LENGTH_MAX } from './convert.js';
import { isGiven } from './paths.js';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
export const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** Whether a text is a hexadecimal SHA-256, which means that the sender has already hashed it. */
const isSha256 = (text: string): boolean => /^[a-f0-9]{64}$/i.test(text);

/** SHA-256 of the unchanged value. Hashed values stay unchanged. */
export const hashed = (value: unknown): string | undefined => hashOf(value);
/** Hashes the trimmed text in lower case, as every advertising vendor requires for e-mails, names and places. */
export const hashedWord = (value: unknown): string | undefined => hashOf(value, normalizedWord);
/** Hashes only the digits, without leading zeros. The sender must supply the country code. */
export const hashedPhone = (value: unknown): string | undefined => hashOf(value, normalizedPhone);

export const normalizedWord = (text: string): string => text.trim().toLowerCase();
export const normalizedPhone = (text: string): string => text.replace(/\D/g, '').replace(/^0+/, '');

/** A hash stays as it is, because its sender has seen to its form. */
const hashOf = (value: unknown, normalize?: Normal): string | undefined =>
  typeof value === 'string' && isSha256(value) ? value : hashedPlain(value, normalize);

type Normal = (text: string) => string;

/**
 * Hashes a value that is known to be plain. Omits objects, and texts that are too long to be a name or number. Omits a text that
 * is empty once it is normalised, because its hash would match everybody who has none.
 */
export function hashedPlain(value: unknown, normalize?: Normal): string | undefined {
  if (!isGiven(value) || typeof value === 'object') return undefined;
  const text = String(value);
  if (normalize && text.length > NAME_LENGTH_MAX) return undefined;
  const normal = normalize ? normalize(text) : text;
  return normal === '' ? undefined : sha256(normal);
}

/** The namespace for names of RFC 9562, appendix A. */
const NAMESPACE = Buffer.from('6ba7b8109dad11d180b400c04fd430c8', 'hex');

/** A UUID of version 5, the same for the same text. */
export function uuidOf(text: string): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(text).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
