import { isJsonObject, type JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';

/** A path of the API and a body. */
export type Call = [path: string, body: JsonObject];

const EXTERNAL = ['clientUserId', 'shopifyId', 'klaviyoId'];

/** Phone and e-mail of a person, as texts or numbers. */
export const user = (event: JsonObject): JsonObject => addresses(event, kit.PHONE, kit.EMAIL);

const addresses = (from: JsonObject, phone: kit.Source, email: kit.Source): JsonObject =>
  kit.mapFields(from, { phone: { from: phone, as: kit.onlyId }, email: { from: email, as: kit.onlyId } });

/** Other systems' identifiers of a person: external ids of the context, and custom ones of the traits. */
const external = (event: JsonObject): JsonObject => ({
  ...kit.compact(kit.objectOf(EXTERNAL.map((type) => [type, kit.externalIdAsGiven(event, type)]))),
  ...customIdentifiers(kit.firstAt(event, kit.trait('customIdentifiers'))),
});
const customIdentifiers = (given: unknown): JsonObject => (Array.isArray(given) ? { customIdentifiers: given } : {});

export const externalIdentifiers = (event: JsonObject): JsonObject => {
  const found = external(event);
  return kit.isEmpty(found) ? {} : { externalIdentifiers: found };
};

/** The identifiers of a person to join, and the other traits as attributes. */
export function identities(event: JsonObject): Call[] {
  const ids = { ...user(event), ...external(event) };
  const { user: who, properties } = attributes(event);
  const calls: Call[] = [];
  if (canBeJoined(ids)) calls.push(['identity-resolution/user-identifiers', ids]);
  if (!kit.isEmpty(who) && !kit.isEmpty(properties)) calls.push(['attributes/custom', { user: who, properties }]);
  if (calls.length === 0) kit.refuse('the event has no identifiers to join and no attributes to set');
  return calls;
}

/** An e-mail and a phone alone join nobody: one identifier must be of a client's own. */
function canBeJoined(ids: JsonObject): boolean {
  const own = ['clientUserId', 'customIdentifiers'].filter((key) => key in ids).length;
  return own === 2 || (own === 1 && ['email', 'phone', 'shopifyId', 'klaviyoId'].some((key) => key in ids));
}

/** From the event's traits, even if they are empty, or from those of its context. */
function attributes(event: JsonObject) {
  const traits = kit.objectAt(event, isJsonObject(event['traits']) ? 'traits' : 'context.traits');
  const externals = {
    ...kit.compact({ clientUserId: kit.externalIdAsGiven(event, 'clientUserId') }),
    ...customIdentifiers(traits['customIdentifiers']),
  };
  return {
    user: {
      ...addresses(traits, 'phone', 'email'),
      ...kit.withoutEmpty({ externalIdentifiers: externals }),
    },
    properties: kit.compact(kit.omit(traits, ['email', 'phone', 'customIdentifiers'])),
  };
}

const OPTION_NAMES = ['attentive_tag', 'attentive tag', 'attentivetag'];

/** Subscribes the person of an identify, or unsubscribes as the options of the event say. */
export function subscriptionOfIdentify(event: JsonObject, config: JsonObject): Call {
  const options = kit.integrationOptions(event, ...OPTION_NAMES);
  const who = contacts(event);
  if (kit.toLowerCase(options['identifyOperation']) === 'unsubscribe') {
    return ['subscriptions/unsubscribe', { user: who, ...kit.compact(kit.only(options, UNSUBSCRIBED_FROM)) }];
  }
  return ['subscriptions', { user: who, signUpSourceId: signUpSource(options, config), ...externalIdentifiers(event) }];
}
const UNSUBSCRIBED_FROM = ['subscriptions', 'notification'];

function contacts(event: JsonObject): JsonObject {
  const who = user(event);
  const isKnown = [who['email'], who['phone']].some((value) => typeof value === 'string');
  return isKnown ? who : kit.refuse('traits.email or traits.phone is required, as a text');
}

const signUpSource = (own: JsonObject, config: JsonObject): string =>
  (kit.textAt(own, 'signUpSourceId') ?? kit.configText(config, 'signUpSourceId')) ||
  kit.refuse('signUpSourceId is required to subscribe');

const CHANNELS: Readonly<Record<string, string>> = { email: 'email', sms: 'phone' };
const channelOf = ({ channel }: JsonObject) => String(channel).toLowerCase();

/** `properties.channelConsents: [{ channel: 'email' | 'sms', consented, type? }]`. */
export function subscriptions(event: JsonObject, config: JsonObject): Call[] {
  const who = contacts(event);
  const properties = kit.objectAt(event, 'properties');
  const given = kit.onlyArray(properties['channelConsents']) ?? kit.refuse('properties.channelConsents must be a list');
  const signUpSourceId = signUpSource(properties, config);
  const consents = given.filter(isJsonObject);
  const people = (list: JsonObject[]) =>
    kit.only(
      who,
      list.map((one) => kit.lookedUp(CHANNELS, channelOf(one)) ?? ''),
    );
  const off = consents.filter(({ consented }) => consented === false);
  const [joining, leaving] = [people(consents.filter(({ consented }) => consented === true)), people(off)];
  const calls: Call[] = [];
  if (!kit.isEmpty(joining)) calls.push(['subscriptions', { user: joining, signUpSourceId }]);
  if (!kit.isEmpty(leaving))
    calls.push(['subscriptions/unsubscribe', { user: leaving, ...refusedBy(off, properties) }]);
  return calls.length > 0
    ? calls
    : kit.refuse('properties.channelConsents needs a channel of the person: email or sms');
}

/** Without any type, the person leaves all subscriptions. */
function refusedBy(consents: JsonObject[], { notification }: JsonObject): JsonObject {
  const typed = consents.filter(({ type }) => kit.isGiven(type));
  const list = typed.map((one) => ({ type: one['type'], channel: channelOf(one) === 'sms' ? 'TEXT' : 'EMAIL' }));
  return kit.compact({ subscriptions: list.length > 0 ? list : undefined, notification });
}
