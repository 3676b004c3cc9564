import { type EventMetadata, isJsonObject, type JsonObject, MASK } from '@weir/contracts';
import { categoryByValue } from './personal-keys.js';

/** Whether the path or one of its ancestors is masked. */
export type IsMasked = (path: string) => boolean;

/** @param keys Dotted paths. Each also covers everything below it. */
export function maskedBy(keys: Iterable<string>): IsMasked {
  const masked = new Set(keys);
  return (path) => {
    for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
      if (masked.has(path.slice(0, end))) return true;
    }
    return false;
  };
}

/** Replaces masked values in samples by `***`, and personal data in other texts. Leaves out such frequent values. */
export function maskMetadata(metadata: EventMetadata, isMasked: IsMasked): EventMetadata {
  const shown = Object.entries(metadata.FrequentValues)
    .filter(([path]) => !isMasked(path))
    .map(([path, values]) => [path, values.filter(({ Value }) => !isPersonalText(Value))] as const);
  return {
    ...metadata,
    SampledEvents: metadata.SampledEvents.map((event) => maskEvent(event, isMasked)),
    FrequentValues: Object.fromEntries(shown),
  };
}

/** Returns a copy. Uses an explicit stack, because customers control the depth. */
function maskEvent(event: JsonObject, isMasked: IsMasked): JsonObject {
  const copy = structuredClone(event);
  const open: [prefix: string, container: JsonObject][] = [['', copy]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [prefix, container] = next;
    for (const [key, value] of Object.entries(container)) {
      const path = prefix + key;
      if (isJsonObject(value) || Array.isArray(value)) open.push([`${path}.`, value as JsonObject]);
      else if (value !== null && isMasked(path)) setOwn(container, key, MASK);
      else if (typeof value === 'string') setOwn(container, key, maskedText(value));
    }
  }
  return copy;
}

/** Also sets a key named `__proto__`. */
const setOwn = (container: JsonObject, key: string, value: unknown) =>
  Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true });

/** Where a word of a text, of an address or of a list ends. */
const BETWEEN_WORDS = /([\s"'`<>()[\]{},;|?&=#/]+)/;
/** Signs after a word that do not belong to it. */
const AFTER_WORD = /[.:!*]{1,3}$/;
/** Digits as people group them: phone numbers and card numbers. */
const NUMBER = /\+?\d[\d ().-]{7,22}\d/g;
/** International numbers have 8 to 15 digits (E.164). Others cannot be told from numbers of orders. */
const PHONE = /^(\+|00)\d{8,15}$/;
const SOCIAL_SECURITY = /^\d{3}-\d{2}-\d{4}$/;

/** The text with `***` for e-mail addresses, IP addresses, phone numbers, card numbers and social security numbers in it. */
export function maskedText(text: string): string {
  const words = text.replace(NUMBER, (number) => (isPersonalNumber(number) ? MASK : number)).split(BETWEEN_WORDS);
  return words.map(maskedWord).join('');
}

/** Whether a text shows personal data somewhere in it. */
export const isPersonalText = (text: string): boolean => maskedText(text) !== text;

function maskedWord(word: string): string {
  const inner = word.replace(AFTER_WORD, '');
  return categoryByValue(inner.replace(/%40/g, '@')) === undefined ? word : MASK + word.slice(inner.length);
}

function isPersonalNumber(number: string): boolean {
  const digits = number.replace(/[^+\d]/g, '');
  return SOCIAL_SECURITY.test(number) || PHONE.test(digits) || categoryByValue(digits) === 'payment';
}
