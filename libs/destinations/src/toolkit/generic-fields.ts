import type { Source } from './mapping.js';

/** Paths of a trait under each of its names, first in the event and then in its context. */
export const trait = (...names: string[]): string[] => [
  ...names.map((name) => `traits.${name}`),
  ...names.map((name) => `context.traits.${name}`),
];
export const property = (...names: string[]): string[] => names.map((name) => `properties.${name}`);

/** A list of paths. The first one with a value wins. */
type Paths = readonly string[];

/** Ids of the user. */
export const KNOWN_USER_ID: Paths = [
  'userId',
  ...['traits', 'context.traits'].flatMap((at) => [`${at}.userId`, `${at}.id`]),
];
export const USER_ID: Paths = [...KNOWN_USER_ID, 'anonymousId'];
export const GROUP_ID: Paths = ['groupId', 'traits.groupId'];

/** Where the user can be reached. A record of a reverse ETL source may name the person by its external id alone. */
export const TRAIT_EMAIL: Paths = trait('email');
export const EMAIL: Paths = [...TRAIT_EMAIL, 'properties.email'];
export const LINKED_EMAIL: Paths = [...EMAIL, 'context.externalId.0.id'];
export const TRAIT_PHONE: Paths = trait('phone');
export const PHONE: Paths = [...TRAIT_PHONE, 'properties.phone'];
export const IP: Paths = ['context.ip', 'request_ip'];
export const PAGE_URL: Paths = ['context.page.url', 'properties.url'];

/** Who the user is. */
export const FULL_NAME: Paths = trait('name');
export const FIRST_NAME: Paths = trait('firstName', 'firstname', 'first_name');
export const LAST_NAME: Paths = trait('lastName', 'lastname', 'last_name');
export const GENDER: Paths = trait('gender');
export const BIRTHDAY: Paths = trait('birthday');
export const AVATAR: Paths = trait('avatar');

/** Where the user lives. */
export const CITY: Paths = trait('address.city');
export const STATE: Paths = trait('address.state');
export const COUNTRY: Paths = trait('address.country');
const zipAt = (place: string, ...first: string[]): string[] =>
  [...first, 'zipCode', 'postalcode', 'postal_code', 'postalCode'].map((name) => `${place}.${name}`);
/** The order in an address differs, because existing senders rely on it. */
export const ZIP: Paths = [
  ...zipAt('traits', 'zip', 'zipcode', 'zip_code'),
  ...zipAt('traits.address', 'zipcode', 'zip_code', 'zip'),
  ...zipAt('context.traits', 'zip', 'zipcode', 'zip_code'),
  ...zipAt('context.traits.address', 'zip', 'zipcode', 'zip_code'),
];

/** When something was. */
export const TIMESTAMP: Paths = ['timestamp', 'originalTimestamp'];
export const CREATED_AT: Paths = trait('createdAt');

/** The products that were bought. `PRODUCT_ID` is read from one product. */
export const REVENUE: Paths = property('revenue', 'total', 'value');
export const CURRENCY = 'properties.currency';
export const ORDER_ID: Paths = property('order_id', 'orderId');
export const PRODUCTS = 'properties.products';
export const PRODUCT_ID: Paths = ['product_id', 'sku', 'id'];

interface GenericField {
  name: string;
  from: Source;
  /** The form in which kinds send it, unless their vendor wants another. */
  form: string;
}

const field = (name: string, from: Source, form: string): GenericField => ({ name, from, form });

/** The table of the README. A kind that reads a field in another way has a list of its own. */
export const GENERIC_FIELDS: Readonly<Record<string, GenericField>> = {
  KNOWN_USER_ID: field('user', KNOWN_USER_ID, 'text'),
  USER_ID: field('user, known or not', USER_ID, 'text'),
  GROUP_ID: field('group', GROUP_ID, 'text'),
  TRAIT_EMAIL: field('e-mail, only of traits', TRAIT_EMAIL, 'as it is, or hashed (`hashedWord`)'),
  EMAIL: field('e-mail', EMAIL, 'as it is, or hashed (`hashedWord`)'),
  LINKED_EMAIL: field('e-mail, also of mapped records', LINKED_EMAIL, 'as it is, or hashed (`hashedWord`)'),
  TRAIT_PHONE: field('phone, only of traits', TRAIT_PHONE, 'as it is, or hashed (`hashedPhone`)'),
  PHONE: field('phone', PHONE, 'as it is, or hashed (`hashedPhone`)'),
  IP: field('address of the device', IP, 'as it is'),
  PAGE_URL: field('page', PAGE_URL, 'as it is'),
  FULL_NAME: field('name', FULL_NAME, 'as it is; `fullNameOf` joins first and last name'),
  FIRST_NAME: field('first name', FIRST_NAME, 'as it is, or hashed (`hashedWord`)'),
  LAST_NAME: field('last name', LAST_NAME, 'as it is, or hashed (`hashedWord`)'),
  GENDER: field('gender', GENDER, 'the words of the vendor (`oneOf`)'),
  BIRTHDAY: field('birthday', BIRTHDAY, 'as it is, or a day (`toDate`)'),
  AVATAR: field('picture', AVATAR, 'as it is'),
  CITY: field('city', CITY, 'as it is, or hashed (`hashedWord`)'),
  STATE: field('state', STATE, 'as it is, or hashed (`hashedWord`)'),
  COUNTRY: field('country', COUNTRY, 'as it is, or hashed (`hashedWord`)'),
  ZIP: field('postal code', ZIP, 'as it is, or hashed (`hashedWord`)'),
  TIMESTAMP: field('time of the event', TIMESTAMP, 'as it is, `toIso`, `toUnixSeconds` or `toUnixMillis`'),
  CREATED_AT: field('time of the sign-up', CREATED_AT, 'as it is, or `toUnixSeconds`'),
  REVENUE: field('revenue', REVENUE, 'number'),
  CURRENCY: field('currency', CURRENCY, 'as it is'),
  ORDER_ID: field('order', ORDER_ID, 'text'),
  PRODUCTS: field('products', PRODUCTS, 'at most 1,000 objects (`productList`)'),
  PRODUCT_ID: field('id of a product', PRODUCT_ID, 'text'),
};
