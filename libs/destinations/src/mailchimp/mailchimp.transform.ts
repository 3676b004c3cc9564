import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import * as kit from '../toolkit/index.js';

/** https://mailchimp.com/developer/marketing/api/list-members/ */
const STATUSES = ['subscribed', 'unsubscribed', 'cleaned', 'pending', 'transactional'];
/** Characters of an event name. https://mailchimp.com/developer/marketing/api/list-member-events/ */
const NAME_LENGTH = { min: 2, max: 30 };
/** Characters of a merge field's tag. */
const TAG_LENGTH_MAX = 10;

const MERGE_FIELDS: kit.Mapping = {
  FNAME: 'firstName',
  LNAME: 'lastName',
  PHONE: 'phone',
  BIRTHDAY: { from: ['birthday'], as: (value) => kit.toDate(value)?.slice(5).replace('-', '/') },
};
const ADDRESS: kit.Mapping = {
  addr1: 'addressLine1',
  addr2: 'addressLine2',
  city: 'city',
  state: 'state',
  zip: 'zip',
  country: 'country',
};
/** Mailchimp refuses an address without all of these. */
const ADDRESS_REQUIRED = ['addr1', 'city', 'state', 'zip'];

export function mailchimpTransform(event: JsonObject, config: JsonObject): Payload[] {
  return kit.byType(event, {
    identify: () => [member(event, config)],
    track: () => [memberEvent(event, config)],
  });
}

/** Adds or updates a member. An existing member keeps the status unless the event sets it, so that nobody is subscribed again. */
function member(event: JsonObject, config: JsonObject): Payload {
  const traits = kit.mergedTraits(event);
  const email = emailOf(event);
  const { status } = traits;
  if (kit.isGiven(status) && !STATUSES.includes(String(status))) {
    kit.refuse(`traits.status must be one of ${STATUSES.join(', ')}`);
  }
  const merged = kit.isOn(config, 'enableMergeFields') ? mergeFields(traits) : {};
  const body = {
    email_address: email,
    ...(kit.isGiven(status) ? { status } : { status_if_new: 'subscribed' }),
    ...kit.withoutEmpty({ merge_fields: merged }),
  };
  return kit.jsonRequest(addressOf(config, email), body, { method: 'PUT', headers: headersOf(config) });
}

function memberEvent(event: JsonObject, config: JsonObject): Payload {
  const name = kit.eventName(event).trim().replace(/\s+/g, '_');
  if (name.length < NAME_LENGTH.min || name.length > NAME_LENGTH.max) {
    kit.refuse(`the event's name must have ${NAME_LENGTH.min} to ${NAME_LENGTH.max} characters`);
  }
  const properties = kit.objectAt(event, 'properties');
  const body = kit.compact({
    name,
    occurred_at: kit.toIsoSeconds(kit.firstAt(event, kit.TIMESTAMP))?.replace('Z', '+00:00'),
    is_syncing: kit.toBoolean(properties['isSyncing']),
    ...kit.withoutEmpty({ properties: texts(kit.omit(properties, ['isSyncing'])) }),
  });
  return kit.jsonRequest(`${addressOf(config, emailOf(event))}/events`, body, { headers: headersOf(config) });
}

const texts = (properties: JsonObject) =>
  kit.compact(kit.objectOf(Object.entries(properties).map(([key, value]) => [key, kit.toText(value)])));

const emailOf = (event: JsonObject) => kit.textAt(event, kit.EMAIL) ?? kit.refuse('traits.email is required');

/** A member's address contains the MD5 of the e-mail in lower case. */
function addressOf(config: JsonObject, email: string): string {
  const datacenter = kit.requiredText(config, 'datacenterId');
  if (!/^[a-z0-9]+$/i.test(datacenter)) kit.refuse('datacenterId must be a word such as us6');
  const audience = encodeURIComponent(kit.requiredText(config, 'audienceId'));
  return `https://${datacenter}.api.mailchimp.com/3.0/lists/${audience}/members/${kit.md5(email.toLowerCase())}`;
}

const headersOf = (config: JsonObject) => kit.basicAuth('apiKey', kit.requiredText(config, 'apiKey'));

/** Mailchimp's own fields, plus every other trait under a tag derived from its name. */
function mergeFields(traits: JsonObject): JsonObject {
  const address = kit.mapFields(traits, ADDRESS);
  const isAddress = ADDRESS_REQUIRED.every((key) => Object.hasOwn(address, key));
  const known = [...kit.keysRead(MERGE_FIELDS), ...kit.keysRead(ADDRESS), 'email', 'status'];
  const others = Object.entries(kit.restOf(traits, known))
    .filter(([, value]) => kit.isGiven(value) && typeof value !== 'object')
    .map(([key, value]) => [tagOf(key), value] as const);
  const place = isAddress ? { ADDRESS: address } : {};
  return kit.merged(kit.objectOf(others), kit.mapFields(traits, MERGE_FIELDS), place);
}

const tagOf = (key: string) => key.slice(0, TAG_LENGTH_MAX).toUpperCase();
