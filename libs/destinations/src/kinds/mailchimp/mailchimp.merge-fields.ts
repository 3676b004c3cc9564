import type { JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';

/** Characters of a merge field's tag. */
const TAG_LENGTH_MAX = 10;

const MERGE_FIELDS: kit.Mapping = {
  FNAME: kit.FIRST_NAME,
  LNAME: kit.LAST_NAME,
  PHONE: kit.PHONE,
  BIRTHDAY: { from: kit.BIRTHDAY, as: (value) => kit.toDate(value)?.slice(5).replace('-', '/') },
};

const place = (trait: string, key: string) => kit.trait(trait, `address.${trait}`, `merge_fields.ADDRESS.${key}`);
const ADDRESS: kit.Mapping = {
  addr1: place('addressLine1', 'addr1'),
  addr2: place('addressLine2', 'addr2'),
  city: place('city', 'city'),
  state: place('state', 'state'),
  zip: place('zip', 'zip'),
  country: place('country', 'country'),
};
const ADDRESS_REQUIRED = ['addr1', 'city', 'state', 'zip'];

/** Traits that are not tags of their own. */
const READ = [
  ...['email', 'phone', 'birthday', 'firstName', 'lastName', 'FirstName', 'LastName', 'firstname', 'lastname'],
  ...['address', 'addressLine1', 'addressLine2', 'addr1', 'city', 'state', 'zip'],
];

/** Mailchimp's own fields, and every other trait under a tag derived from its name, which wins. */
export function mergeFieldsOf(event: JsonObject): JsonObject {
  const address = checkedAddress(kit.mapFields(event, ADDRESS));
  const others = Object.entries(kit.omit(kit.givenTraits(event) ?? {}, READ));
  return kit.merged(
    kit.mapFields(event, MERGE_FIELDS),
    kit.isEmpty(address) ? {} : { ADDRESS: address },
    kit.objectOf(others.map(([key, value]) => [tagOf(key), value])),
  );
}

/** Letters, digits, `_` and white space of the name. */
const tagOf = (key: string) =>
  key
    .replace(/[^\w\s]/g, '')
    .slice(0, TAG_LENGTH_MAX)
    .toUpperCase();

/** Mailchimp refuses an address without street, city, state and zip code, so the event is refused with the reason. */
export function checkedAddress(address: JsonObject): JsonObject {
  const missing = ADDRESS_REQUIRED.filter((key) => typeof address[key] !== 'string' || address[key] === '');
  if (!kit.isEmpty(address) && missing.length > 0) {
    kit.refuse(`an address needs ${ADDRESS_REQUIRED.join(', ')} as texts, and has no ${missing.join(', ')}`);
  }
  return address;
}
