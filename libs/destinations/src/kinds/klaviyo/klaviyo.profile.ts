import type { JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';

/** Paths of a value that is a trait, and otherwise a property. */
const anywhere = (...names: string[]): string[] => [...kit.trait(...names), ...kit.property(...names)];
/** The same for parts of an address, which may be traits of their own. */
const place = (...names: string[]): string[] => [
  ...kit.trait(...names, ...names.map((name) => `address.${name}`)),
  ...kit.property(...names),
];
const located = (name: string): string[] => [name, `context.address.${name}`, `context.location.${name}`];

/** Where each attribute comes from, whatever its name in a revision. */
export const PATHS = {
  email: kit.EMAIL,
  phone: kit.PHONE,
  firstName: kit.FIRST_NAME,
  lastName: kit.LAST_NAME,
  image: anywhere('image'),
  city: place('city'),
  region: [
    ...place('region'),
    ...['traits.state', 'traits.address.state', 'context.traits.address.state', 'context.traits.state'],
    'properties.state',
  ],
  country: place('country'),
  zip: place('zip', 'postalcode', 'postalCode'),
  street: place('street'),
};

/** https://developers.klaviyo.com/en/reference/create_or_update_profile */
const PROFILE: kit.Mapping = {
  external_id: kit.KNOWN_USER_ID,
  anonymous_id: 'anonymousId',
  email: PATHS.email,
  phone_number: { from: PATHS.phone, as: internationalPhone },
  first_name: PATHS.firstName,
  last_name: PATHS.lastName,
  title: anywhere('title'),
  organization: anywhere('organization'),
  image: PATHS.image,
  'location.city': PATHS.city,
  'location.region': PATHS.region,
  'location.country': PATHS.country,
  'location.zip': PATHS.zip,
  'location.ip': kit.IP,
  'location.timezone': anywhere('timezone'),
  'location.latitude': located('latitude'),
  'location.longitude': located('longitude'),
  'location.address1': PATHS.street,
  _kx: kit.trait('_kx'),
};

const NAMES = ['firstName', 'firstname', 'first_name', 'lastName', 'lastname', 'last_name'];
/** Traits that are attributes in every revision, or that control subscriptions. */
export const READ_TRAITS = [
  ...['email', ...NAMES, 'phone', 'title', 'organization', 'city', 'region', 'country', 'zip', 'image'],
  ...['timezone', 'anonymousId', 'userId', 'properties'],
];
const READ_BY_PROFILE = [...READ_TRAITS, 'location', '_kx', 'street', 'address'];

export interface Profile {
  type: 'profile';
  id?: string;
  attributes: JsonObject;
  meta: { patch_properties: JsonObject };
}

/** A profile with its custom properties, and with changes to some of them. */
export function profileOf(event: JsonObject, config: JsonObject): Profile {
  const { external_id, ...attributes } = kit.mapFields(event, PROFILE);
  const isByEmail = kit.isOn(config, 'enforceEmailAsPrimary');
  const custom = flattened(customTraits(event, [...READ_BY_PROFILE, ...patchedFields(event)]), config);
  const id = kit.externalId(event, 'klaviyo-profileId');
  return {
    type: 'profile',
    ...(id && { id }),
    attributes: {
      ...kit.compact({ external_id: isByEmail ? undefined : external_id }),
      ...attributes,
      properties: kit.merged(kit.compact(custom), kit.compact({ _id: isByEmail ? external_id : undefined })),
    },
    meta: { patch_properties: patchOf(event) },
  };
}

/** Traits that are not attributes. Those of the context win. A key with dots becomes nested. */
export const customTraits = (event: JsonObject, read: readonly string[]): JsonObject =>
  kit.nested(kit.omit(kit.merged(kit.objectAt(event, 'traits'), kit.objectAt(event, 'context.traits')), read));

export const flattened = (properties: JsonObject, config: JsonObject): JsonObject =>
  kit.isOn(config, 'flattenProperties') ? kit.flatten(properties, { arrays: 'bracketObjects' }) : properties;

/** Klaviyo takes phones with `+` and the code of the country only. Spaces and other signs in between are allowed. */
function internationalPhone(value: unknown): unknown {
  const isValid = typeof value === 'string' && /^\+[1-9]\d{4,14}$/.test(value.replace(/[^\d+]/g, ''));
  return isValid ? value : kit.refuse('the phone must be a text with + and the code of the country');
}

const PATCHES = { append: 'fieldsToAppend', unappend: 'fieldsToUnappend', unset: 'fieldsToUnset' } as const;

function listOf(event: JsonObject, patch: keyof typeof PATCHES): string[] | undefined {
  const list = kit.integrationOptions(event, 'klaviyo')[PATCHES[patch]];
  return Array.isArray(list) ? list.filter((name) => typeof name === 'string') : undefined;
}

const patchedFields = (event: JsonObject): string[] =>
  [listOf(event, 'append'), listOf(event, 'unappend'), listOf(event, 'unset')].flatMap((list) => list ?? []);

/** Values that are added to lists or taken out of them, and properties that are removed. */
function patchOf(event: JsonObject): JsonObject {
  const changed = (patch: 'append' | 'unappend') => {
    const list = listOf(event, patch);
    const traits = kit.givenTraits(event) ?? (list && kit.refuse(`traits are required for ${PATCHES[patch]}`));
    return list && traits ? kit.compact(kit.only(traits, list)) : undefined;
  };
  return kit.compact({ append: changed('append'), unappend: changed('unappend'), unset: listOf(event, 'unset') });
}
