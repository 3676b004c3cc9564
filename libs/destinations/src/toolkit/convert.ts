import { isJsonObject } from '@weir/contracts';

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

/** Accepts `true` and `false`, also as texts. */
export function toBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return text === 'true' || text === 'false' ? text === 'true' : undefined;
}

export const toLowerCase = (value: unknown): string | undefined => toText(value)?.toLowerCase();
export const toUpperCase = (value: unknown): string | undefined => toText(value)?.toUpperCase();
export const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);
export const onlyText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
export const onlyArray = (value: unknown): unknown[] | undefined => (Array.isArray(value) ? value : undefined);
export const onlyObject = (value: unknown): object | undefined => (isJsonObject(value) ? value : undefined);

/** Replaces each listed value, for example with `{ male: 'M' }`. Other values are omitted, or kept with `keepOthers`. */
export function oneOf(words: Readonly<Record<string, unknown>>, { keepOthers = false } = {}): Conversion {
  return (value) => {
    const key = String(value).toLowerCase();
    if (Object.hasOwn(words, key)) return words[key];
    return keepOthers ? value : undefined;
  };
}
