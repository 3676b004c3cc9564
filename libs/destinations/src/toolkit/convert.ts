import { isJsonObject, type JsonObject } from '@weir/contracts';

/** Converts a value to the form that the vendor expects. Undefined omits the key. */
export type Conversion = (value: unknown) => unknown;

/** Converts objects and arrays to JSON, and everything else to text. */
export const toText = (value: unknown): string | undefined => {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** Accepts numbers and numeric texts. Anything else gives undefined. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'string' && value.trim() === '') return undefined;
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

export function toInteger(value: unknown): number | undefined {
  const number = toNumber(value);
  return number === undefined ? undefined : Math.trunc(number);
}

/** The number that a text begins with: 12.5 for `12.5 EUR`. */
export function leadingNumber(value: unknown): number | undefined {
  const number = Number.parseFloat(String(value));
  return Number.isFinite(number) ? number : undefined;
}

/** The whole number that a text begins with: 12 for `12.5 EUR`. */
export function leadingInteger(value: unknown): number | undefined {
  const number = leadingNumber(value);
  return number === undefined ? undefined : Math.trunc(number);
}

/** Accepts `true` and `false`, also as texts. */
export function toBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return text === 'true' || text === 'false' ? text === 'true' : undefined;
}

export const toLowerCase = (value: unknown): string | undefined => toText(value)?.toLowerCase();
export const toUpperCase = (value: unknown): string | undefined => toText(value)?.toUpperCase();
export const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);
/** An id of a vendor that takes texts and numbers. */
export const onlyId = (value: unknown): string | number | undefined =>
  typeof value === 'string' || typeof value === 'number' ? value : undefined;
export const onlyText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
export const onlyArray = (value: unknown): unknown[] | undefined => (Array.isArray(value) ? value : undefined);
export const onlyObject = (value: unknown): object | undefined => (isJsonObject(value) ? value : undefined);

/** A text, a number or a boolean, for vendors whose attributes are flat. */
export const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** Replaces each listed value, for example with `{ male: 'M' }`. Other values are omitted, or kept with `keepOthers`. */
export function oneOf(words: Readonly<Record<string, unknown>>, { keepOthers = false } = {}): Conversion {
  return (value) => {
    const key = String(value).toLowerCase();
    if (Object.hasOwn(words, key)) return words[key];
    return keepOthers ? value : undefined;
  };
}

/** Recognises texts by their form. A text over the length limit never matches and is not read further. */

/** Maximum characters of a name of an event, a person or a place. */
export const NAME_LENGTH_MAX = 1_024;
/** Maximum characters of a time, including `Date` output and zone names. Parsers are slow on long texts that are not times. */
export const TIME_LENGTH_MAX = 128;
/** Maximum characters of a URL. Browsers and servers refuse longer ones. */
export const ADDRESS_LENGTH_MAX = 8_192;

/** Maximum characters of an e-mail address: 64 before the `@` and 255 after it (RFC 5321, 4.5.3.1). */
const EMAIL_LENGTH_MAX = 320;

/** Accepts any text with one `@`, a domain with a dot inside, and no spaces. Cannot tell whether the mailbox exists. */
export function isEmail(text: string): boolean {
  if (text.length > EMAIL_LENGTH_MAX || /\s/.test(text)) return false;
  const [name, domain = '', ...more] = text.split('@');
  const dot = domain.indexOf('.', 1);
  return name !== '' && more.length === 0 && dot > 0 && dot < domain.length - 1;
}

/** Undefined for invalid JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The objects of a response that is one object or a list. */
export const objectsOf = (value: unknown): JsonObject[] => [value].flat().filter(isJsonObject);
