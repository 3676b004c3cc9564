import { isIP } from 'node:net';
import type { PiiFlag } from '@weir/contracts';

type Kind = PiiFlag['Kind'];

/** Words in a key's last segment that suggest personal data. */
const WORDS: Record<string, Kind> = {
  email: 'email',
  mail: 'email',
  phone: 'phone',
  mobile: 'phone',
  telephone: 'phone',
  msisdn: 'phone',
  firstname: 'name',
  lastname: 'name',
  surname: 'name',
  fullname: 'name',
  birthday: 'birthday',
  birthdate: 'birthday',
  dob: 'birthday',
  address: 'address',
  street: 'address',
  zip: 'address',
  zipcode: 'address',
  postalcode: 'address',
  postcode: 'address',
  ip: 'ip',
  iban: 'payment',
  cardnumber: 'payment',
  creditcard: 'payment',
  ssn: 'identity',
  passport: 'identity',
  taxid: 'identity',
  password: 'secret',
  secret: 'secret',
  token: 'secret',
};
/** Below these keys, `name` is a person's name. Elsewhere it names a page or a product. */
const PEOPLE = new Set(['traits', 'user', 'customer', 'contact', 'person', 'recipient']);

const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/;
const CARD = /^\d(?:[ -]?\d){12,18}$/;

/** The kind of personal data that the key's name suggests, if any. */
export function kindByName(path: string): Kind | undefined {
  const segments = path.split('.').filter((segment) => !/^\d+$/.test(segment));
  const [parent = '', name = ''] = [segments.at(-2), segments.at(-1)];
  const words = wordsOf(name);
  if (words.join('') === 'name' && PEOPLE.has(parent.toLowerCase())) return 'name';
  const pairs = words.slice(1).map((word, at) => `${words[at]}${word}`);
  const found = [...pairs, ...words].find((word) => Object.hasOwn(WORDS, word));
  return found === undefined ? undefined : WORDS[found];
}

/** The kind of personal data that the value itself shows, if any. */
export function kindByValue(value: unknown): Kind | undefined {
  if (typeof value !== 'string') return undefined;
  if (EMAIL.test(value)) return 'email';
  if (isIP(value) !== 0) return 'ip';
  return CARD.test(value) && passesLuhn(value.replace(/\D/g, '')) ? 'payment' : undefined;
}

/** Splits `firstName`, `first_name` and `first-name` into `first` and `name`. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '');
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits[digits.length - 1 - at]) * (at % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}
