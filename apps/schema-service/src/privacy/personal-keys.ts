import { isIP } from 'node:net';
import type { PiiFlag } from '@weir/contracts';

type Kind = PiiFlag['Kind'];

/** Words of a key's last segment that give it away. */
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
/** Below these `name` is a person's: elsewhere it is a page's or a product's. */
const PEOPLE = new Set(['traits', 'user', 'customer', 'contact', 'person', 'recipient']);

const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/;
const CARD = /^\d(?:[ -]?\d){12,18}$/;

/** What the key's name says about its values, if anything. */
export function kindByName(path: string): Kind | undefined {
  const segments = path.split('.').filter((segment) => !/^\d+$/.test(segment));
  const [parent = '', name = ''] = [segments.at(-2), segments.at(-1)];
  const words = wordsOf(name);
  if (words.join('') === 'name' && PEOPLE.has(parent.toLowerCase())) return 'name';
  const pairs = words.slice(1).map((word, at) => `${words[at]}${word}`);
  const found = [...pairs, ...words].find((word) => Object.hasOwn(WORDS, word));
  return found === undefined ? undefined : WORDS[found];
}

/** What a value itself says, if anything. */
export function kindByValue(value: unknown): Kind | undefined {
  if (typeof value !== 'string') return undefined;
  if (EMAIL.test(value)) return 'email';
  if (isIP(value) !== 0) return 'ip';
  return CARD.test(value) && passesLuhn(value.replace(/\D/g, '')) ? 'payment' : undefined;
}

/** `firstName`, `first_name` and `first-name` are all `first` and `name`. */
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
