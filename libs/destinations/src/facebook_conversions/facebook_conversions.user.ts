import type { JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';

/** Hashes the digits of a date of birth, `20260131`. */
const hashedDate: kit.Rule['as'] = [(value) => kit.toDate(value)?.replaceAll('-', '') ?? value, kit.hashedWord];
const GENDERS = { male: 'm', m: 'm', female: 'f', f: 'f' };

/** https://developers.facebook.com/docs/marketing-api/conversions-api/parameters/customer-information-parameters */
const USER: kit.Mapping = {
  em: { from: kit.EMAIL, as: kit.hashedWord },
  ph: { from: kit.PHONE, as: kit.hashedPhone },
  ge: { from: kit.trait('gender'), as: [kit.oneOf(GENDERS, { keepOthers: true }), kit.hashedWord] },
  db: { from: kit.trait('birthday', 'dob'), as: hashedDate },
  ln: { from: kit.LAST_NAME, as: kit.hashedWord },
  fn: { from: kit.FIRST_NAME, as: kit.hashedWord },
  ct: { from: kit.trait('address.city', 'city'), as: kit.hashedCompact },
  st: { from: kit.trait('address.state', 'state'), as: kit.hashedWord },
  zp: { from: kit.trait('address.zip', 'address.postalCode', 'zip'), as: kit.hashedCompact },
  country: { from: kit.trait('address.country', 'country'), as: kit.hashedWord },
  client_ip_address: kit.IP,
  client_user_agent: 'context.userAgent',
  fbc: ['context.fbc', 'properties.fbc', ...kit.trait('fbc')],
  fbp: ['context.fbp', 'properties.fbp', ...kit.trait('fbp')],
  subscription_id: kit.property('subscription_id'),
  lead_id: kit.property('lead_id'),
  fb_login_id: kit.property('fb_login_id'),
};
const EXTERNAL_ID: kit.Mapping = { external_id: { from: kit.USER_ID, as: kit.hashed } };

/** The hashed user data of an event. The parts of a full name fill in for a missing first or last name. */
export function userData(event: JsonObject, config: JsonObject): JsonObject {
  const user = kit.mapFields(event, kit.isOn(config, 'removeExternalId') ? USER : { ...USER, ...EXTERNAL_ID });
  const [first, ...rest] = String(kit.firstAt(event, kit.trait('name')) ?? '')
    .slice(0, kit.NAME_LENGTH_MAX)
    .trim()
    .split(/\s+/);
  const names = { fn: kit.hashedWord(first), ln: kit.hashedWord(rest.at(-1)) };
  const click = clickId(event);
  return kit.compact({ ...names, ...(click && { fbc: click }), ...user });
}

/** The click id in the form of Facebook's cookie, `fb.1.<milliseconds>.<fbclid>`, taken from the page address. */
function clickId(event: JsonObject): string | undefined {
  const address = kit.textAt(event, 'context.page.url');
  const isAddress = address && address.length <= kit.ADDRESS_LENGTH_MAX && URL.canParse(address);
  const id = isAddress ? new URL(address).searchParams.get('fbclid') : undefined;
  const at = kit.toUnixMillis(kit.firstAt(event, ['originalTimestamp', 'timestamp']));
  return id && at !== undefined ? `fb.1.${at}.${id}` : undefined;
}

/** Properties that identify a person. Left out of custom data unless the configuration allows them. */
const PERSONAL = [
  'email',
  'firstName',
  'lastName',
  'firstname',
  'lastname',
  'first_name',
  'last_name',
  'gender',
  'city',
  'country',
  'phone',
  'state',
  'zip',
  'postalCode',
  'birthday',
];

/** Custom data without personal properties. Properties configured for hashing are hashed. */
export function withoutPersonal(properties: JsonObject, config: JsonObject): JsonObject {
  const allowed = kit.configWords(config, 'whitelistPiiProperties', 'whitelistPiiProperties');
  const listed = kit.configList(config, 'blacklistPiiProperties');
  const result = kit.pick(properties, (_, key) => !PERSONAL.includes(key) || allowed.includes(key));
  for (const { blacklistPiiProperties: key, blacklistPiiHash: isHashed } of listed) {
    if (typeof key !== 'string' || !kit.isGiven(properties[key])) continue;
    if (isHashed === true) result[key] = kit.hashed(properties[key]);
    else delete result[key];
  }
  return result;
}
