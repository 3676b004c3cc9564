import { isJsonObject } from '@weir/contracts';

/** Shorter texts occur in ordinary words. */
export const PART_LENGTH_MIN = 4;
/** How many tails of a secret are also searched. Enough for a scheme, a name and a value before the actual secret. */
const TAILS_MAX = 4;
const JSON_TEXTS_MAX = 20;
/** The actual secret starts after one of these: `Bearer x`, `user:x`, `key=x`. */
const SEPARATORS = /[\s:=,;]+/g;

/** A secret, and the parts that a vendor may quote: text after a scheme, parts of an address, values of a JSON key file. */
export function partsOf(secret: string): string[] {
  const whole = secret.trim();
  const parts = [whole, ...tailsOf(whole), ...basicPairOf(whole).flatMap((pair) => [pair, ...tailsOf(pair)])];
  parts.push(...partsOfAddress(whole), ...textsOfJson(whole));
  return [...new Set(parts)].filter((part) => part === whole || part.length >= PART_LENGTH_MIN);
}

const tailsOf = (text: string): string[] =>
  [...text.matchAll(SEPARATORS)]
    .slice(0, TAILS_MAX)
    .map(({ 0: separator, index }) => text.slice(index + separator.length));

/** `user:password` of a stored `Basic …` header. */
function basicPairOf(text: string): string[] {
  const [, encoded] = /^basic\s+([\w+/-]+=*)$/i.exec(text) ?? [];
  return encoded === undefined ? [] : [Buffer.from(encoded, 'base64').toString('utf8')];
}

/** Servers identify a request by its path, and the last segment of a webhook address is its token. */
function partsOfAddress(text: string): string[] {
  const url = /^https?:/i.test(text) ? URL.parse(text) : null;
  if (!url) return [];
  const { pathname, search, username, password } = url;
  const segments = pathname.split('/').filter((segment) => segment !== '');
  return [`${pathname}${search}`, pathname, ...segments.slice(-1), ...url.searchParams.values(), username, password];
}

function textsOfJson(text: string): string[] {
  if (!text.startsWith('{')) return [];
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value)
      ? Object.values(value)
          .filter((item) => typeof item === 'string')
          .slice(0, JSON_TEXTS_MAX)
      : [];
  } catch {
    return [];
  }
}

/**
 * The Base64 forms that every text containing the secret shares. The secret may start at the first, second or third byte of a
 * group. Characters at its ends that depend on neighbouring bytes are left out. So `user:secret` is found for any user.
 */
export function base64FormsOf(secret: Uint8Array): Uint8Array[] {
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), secret]).toString('base64');
    const bits = 8 * (offset + secret.length);
    return Buffer.from(encoded.slice(Math.ceil((8 * offset) / 6), Math.floor(bits / 6)));
  });
}

export const hexFormOf = (secret: Uint8Array): Uint8Array => Buffer.from(Buffer.from(secret).toString('hex'));
