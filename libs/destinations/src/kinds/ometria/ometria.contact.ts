import type { JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';
import { customFields, isoTime, PERSON } from './ometria.fields.js';

export const OPTINS = ['EXPLICITLY_OPTEDIN', 'EXPLICITLY_OPTEDOUT', 'NOT_SPECIFIED'] as const;

/** Ometria takes phones in E.164. */
const phone: kit.Conversion = (value) =>
  typeof value === 'string' && /^\+[1-9]\d{1,14}$/.test(value) ? value : undefined;
const textFrom = (...names: string[]): kit.Rule => ({ from: kit.trait(...names), as: kit.onlyText });
const timeFrom = (name: string): kit.Rule => ({ from: kit.trait(name), as: isoTime });
const listFrom = (name: string): kit.Rule => ({ from: kit.trait(name), as: kit.onlyArray });
const flagFrom = (name: string): kit.Rule => ({ from: kit.trait(name), as: kit.toBoolean });

const NAMES: kit.Mapping = {
  firstname: { from: kit.FIRST_NAME, as: kit.onlyText },
  middlename: textFrom('middleName', 'middle_name', 'middlename'),
  lastname: { from: kit.LAST_NAME, as: kit.onlyText },
};
const CONTACT: kit.Mapping = {
  email: { ...PERSON.email, from: kit.TRAIT_EMAIL },
  customer_id: { from: kit.USER_ID, as: kit.onlyId },
  phone_number: { from: kit.trait('phoneNumber'), as: phone },
  '@collection': textFrom('collection'),
  prefix: textFrom('prefix'),
  date_of_birth: textFrom('dateOfBirth'),
  country_id: textFrom('countryId'),
  timezone: textFrom('timezone'),
  timestamp_acquired: timeFrom('timestampAcquired'),
  timestamp_subscribed: timeFrom('timestampSubscribed'),
  timestamp_unsubscribed: timeFrom('timestampUnsubscribed'),
  store_ids: listFrom('storeIds'),
  gender: textFrom('gender'),
  '@add_to_lists': listFrom('addToLists'),
  '@remove_from_lists': listFrom('removeFromLists'),
  '@force_optin': flagFrom('forceOptin'),
  '@merge': flagFrom('merge'),
};
/** Traits that are no custom fields, one of them as existing senders misspell it. */
const KNOWN_TRAITS = [
  ...kit.keysRead({ ...NAMES, ...CONTACT }, 'traits'),
  ...['listingId', 'name', 'channels', 'marketingOptin', 'marketinOptin'],
];

/** A contact of a listing. The options of the event win over the traits and the configuration. */
export function contactOf(event: JsonObject, config: JsonObject): JsonObject {
  const options = kit.integrationOptions(event, 'ometria');
  const id = kit.onlyId(options['listingId'] || kit.firstAt(event, kit.trait('listingId')));
  if (id === undefined) kit.refuse('listingId is required: it is read from integrations.Ometria and the traits');
  return kit.compact({
    '@type': 'contact',
    id,
    ...kit.mapFields(event, CONTACT),
    ...namesOf(event),
    marketing_optin: optinOf(options['marketingOptin']) ?? optinOf(config['marketingOptin']),
    channels: { sms: smsOf(options, config) },
    ...customFields(kit.mergedTraits(event), KNOWN_TRAITS),
  });
}

const optinOf = (word: unknown) => OPTINS.find((optin) => optin === word);

/** First, middle and last name, as given or cut from the full name. */
function namesOf(event: JsonObject): JsonObject {
  const names = kit.mapFields(event, NAMES);
  if (names['firstname'] !== undefined || names['lastname'] !== undefined) return names;
  const [first, ...rest] = (kit.textAt(event, kit.FULL_NAME) ?? '')
    .slice(0, kit.NAME_LENGTH_MAX)
    .split(' ')
    .filter(Boolean);
  const last = rest.pop();
  const middle = names['middlename'] ?? rest.join(' ');
  return kit.withoutEmpty({ firstname: first, middlename: middle, lastname: last });
}

/** Options may be written as in the configuration or as at Ometria. */
function smsOf(options: JsonObject, config: JsonObject): JsonObject {
  const allows = (key: string, own: string) =>
    kit.toBoolean(options[key]) ?? kit.toBoolean(options[own]) ?? kit.isOn(config, key);
  return {
    allow_marketing: allows('allowMarketing', 'allow_marketing'),
    allow_transactional: allows('allowTransactional', 'allow_transactional'),
    ...kit.mapFields(options, {
      dt_updated_marketing: { from: 'dt_updated_marketing', as: isoTime },
      dt_updated_transactional: { from: 'dt_updated_transactional', as: isoTime },
    }),
  };
}
