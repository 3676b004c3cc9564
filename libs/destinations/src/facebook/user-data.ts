import type { JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';

/** Words of a gender, as Facebook hashes them. */
export const GENDERS = { male: 'm', m: 'm', man: 'm', female: 'f', f: 'f', woman: 'f' };
const PLAIN: kit.Mapping = {
  client_ip_address: kit.IP,
  client_user_agent: 'context.userAgent',
  fbc: ['context.fbc', 'properties.fbc'],
  fbp: ['context.fbp', 'properties.fbp'],
  subscription_id: 'context.subscription_id',
  lead_id: 'context.lead_id',
  fb_login_id: 'context.fb_login_id',
  madid: 'context.device.advertisingId',
  anon_id: ['properties.anon_id', 'context.device.advertisingId'],
  ge: { from: kit.GENDER, as: [kit.oneOf(GENDERS), kit.hashed] },
};

/** Hashes the digits of a date of birth, `20260131`. */
const hashedDate: kit.Conversion = (value) => kit.hashedWord(kit.toDate(value)?.replaceAll('-', '') ?? value);
/** Hashes a place in lower case, without spaces and punctuation. */
export const hashedPlace: kit.Conversion = (value) =>
  kit.hashedWord(typeof value === 'object' ? undefined : String(value).replace(/[\s\p{P}]+/gu, ''));

/**
 * Personal fields and the normalized forms that Facebook hashes.
 * https://developers.facebook.com/docs/marketing-api/conversions-api/parameters/customer-information-parameters
 */
const HASHED: Readonly<Record<string, [from: readonly string[], as: kit.Conversion]>> = {
  external_id: [kit.USER_ID, kit.hashed],
  em: [kit.TRAIT_EMAIL, kit.hashedWord],
  ph: [kit.TRAIT_PHONE, kit.hashedPhone],
  db: [kit.BIRTHDAY, hashedDate],
  ln: [kit.trait('lastname', 'lastName', 'last_name'), kit.hashedWord],
  fn: [kit.trait('firstname', 'firstName', 'first_name'), kit.hashedWord],
  ct: [kit.CITY, hashedPlace],
  st: [kit.STATE, hashedPlace],
  country: [kit.COUNTRY, hashedPlace],
  zp: [[...kit.trait('address.zip'), ...kit.trait('address.postalCode')], hashedPlace],
};

/** Fields whose hash is that of a text in lower case. A hash of the sender is in lower case too. */
const WORDS = ['em', 'ln', 'fn', 'ct', 'st', 'country', 'zp'];
const givenWord: kit.Conversion = (value) => kit.normalizedWord(kit.toText(value) ?? '');

/** The user of an event. `isHashed` says that its sender hashed the personal fields. Refuses an event of nobody. */
export function userData(event: JsonObject, config: JsonObject, isHashed: boolean): JsonObject {
  const as = (key: string, convert: kit.Conversion) => {
    if (!isHashed) return convert;
    return WORDS.includes(key) ? givenWord : kit.toText;
  };
  const rules = Object.entries(HASHED).map(([key, [from, convert]]) => [key, { from, as: as(key, convert) }] as const);
  const user = kit.mapFields(event, kit.objectOf(rules));
  if (user['external_id'] === undefined) kit.refuse('the event needs a userId or an anonymousId');
  const names = kit.textAt(event, kit.FULL_NAME)?.slice(0, kit.NAME_LENGTH_MAX).split(' ') ?? [];
  const [fn, ln] = names.map((name) => as('name', (part) => kit.hashedPlain(part))(name));
  return {
    ...(kit.isOn(config, 'removeExternalId') ? kit.omit(user, ['external_id']) : user),
    ...(names.length === 2 && kit.compact({ fn, ln })),
    ...kit.compact({ fbc: clickId(event) }),
    ...kit.mapFields(event, PLAIN),
  };
}

/** The click id in the form of Facebook's cookie, `fb.1.<milliseconds>.<fbclid>`, taken from the page address. */
function clickId(event: JsonObject): string | undefined {
  const address = kit.textAt(event, 'context.page.url');
  const isAddress = address && address.length <= kit.ADDRESS_LENGTH_MAX && URL.canParse(address);
  const id = isAddress ? new URL(address).searchParams.get('fbclid') : undefined;
  return id ? `fb.1.${kit.toUnixMillis(kit.firstAt(event, kit.TIMESTAMP))}.${id}` : undefined;
}
