import { MASK } from '@weir/contracts';
import { categoryByValue } from './personal-keys.js';

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
