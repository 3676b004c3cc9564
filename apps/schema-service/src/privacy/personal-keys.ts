import { isIP } from 'node:net';
import { type EventMetadata, isJsonObject, type JsonObject, type PiiFlag } from '@weir/contracts';
import { compareText } from '../aggregation/schema.js';

type Category = PiiFlag['Kind'];

/** Words in a key's last segment that suggest personal data. */
const WORDS: Record<string, Category> = {
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

/** The category of personal data that the key's name suggests, if any. */
export function categoryByName(path: string): Category | undefined {
  const segments = path.split('.').filter((segment) => !/^\d+$/.test(segment));
  const [parent = '', name = ''] = [segments.at(-2), segments.at(-1)];
  const words = wordsOf(name);
  if (words.join('') === 'name' && PEOPLE.has(parent.toLowerCase())) return 'name';
  const pairs = words.slice(1).map((word, at) => `${words[at]}${word}`);
  const found = [...pairs, ...words].find((word) => Object.hasOwn(WORDS, word));
  return found === undefined ? undefined : WORDS[found];
}

/** The category of personal data that the value itself shows, if any. */
export function categoryByValue(value: unknown): Category | undefined {
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

/** Flags of one answer, so that it fits one message. */
const FLAGS_MAX = 1_000;
const KEY_CHARS_MAX = 512;

/** Keys of a model that look personal, by their names or by their sampled and frequent values. */
export function piiFlagsOf(paths: readonly string[], { SampledEvents, FrequentValues }: EventMetadata): PiiFlag[] {
  const flags = new Map<string, PiiFlag>();
  const flag = (Key: string, Kind: Category | undefined, Because: PiiFlag['Because']) => {
    if (Kind && !flags.has(Key) && Key.length <= KEY_CHARS_MAX) flags.set(Key, { Key, Kind, Because });
  };
  for (const path of paths) flag(path, categoryByName(path), 'name');
  for (const [path, values] of Object.entries(FrequentValues)) {
    for (const { Value } of values) flag(path, categoryByValue(Value), 'values');
  }
  for (const event of SampledEvents) eachValue(event, (path, value) => flag(path, categoryByValue(value), 'values'));
  return [...flags.values()].sort((left, right) => compareText(left.Key, right.Key)).slice(0, FLAGS_MAX);
}

/** Visits every scalar of an event with its dotted path. */
export function eachValue(event: JsonObject, see: (path: string, value: unknown) => void): void {
  const open: [path: string, value: unknown][] = Object.entries(event);
  for (let next = open.pop(); next; next = open.pop()) {
    const [path, value] = next;
    if (isJsonObject(value) || Array.isArray(value)) {
      for (const [key, inner] of Object.entries(value)) open.push([`${path}.${key}`, inner]);
    } else see(path, value);
  }
}
