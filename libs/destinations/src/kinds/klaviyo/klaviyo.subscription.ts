import type { JsonObject } from '@weir/contracts';
import type { BatchRule } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

/** Path and body of a request. */
export type Call = readonly [path: string, body: JsonObject];

interface Subscription {
  listId: string;
  isOn: boolean;
  person: JsonObject;
}

export const isCurrent = (config: JsonObject): boolean =>
  config['apiVersion'] === 'v2' || config['apiVersion'] === 'v3';

/**
 * `traits.properties: { subscribe, listId, consent }` of an identify. The oldest revision cannot unsubscribe. A person without an
 * address is on no list, but has a profile, so nobody is refused for that.
 */
export function identifySubscription(event: JsonObject, config: JsonObject): Call[] {
  const wanted = kit.objectAt(kit.givenTraits(event), 'properties');
  const { subscribe } = wanted;
  const listId = kit.textAt(wanted, 'listId') ?? kit.configText(config, 'listId');
  const isWanted = isCurrent(config) ? subscribe !== undefined && subscribe !== null : Boolean(subscribe);
  if (!isWanted || listId === '') return [];
  const person = personOf(event);
  if (kit.isEmpty(person) && config['apiVersion'] !== 'v3') return [];
  return [subscriptionJob(event, config, { listId, isOn: Boolean(subscribe), person })];
}

/** A group is a list. */
export function groupSubscription(event: JsonObject, config: JsonObject): Call {
  const listId = kit.textAt(event, 'groupId') ?? kit.refuse('groupId, the id of the list, is required');
  const { subscribe } = isCurrent(config) ? (kit.givenTraits(event) ?? {}) : kit.objectAt(event, 'traits');
  if (subscribe === undefined || subscribe === null) kit.refuse('traits.subscribe is required');
  if (!subscribe && !isCurrent(config)) {
    kit.refuse('this revision of the API cannot unsubscribe: set apiVersion to v3');
  }
  const person = personOf(event);
  if (kit.isEmpty(person)) kit.refuse('a subscription needs an email or a phone');
  return subscriptionJob(event, config, { listId, isOn: Boolean(subscribe), person });
}

function subscriptionJob(event: JsonObject, config: JsonObject, { listId, isOn, person }: Subscription): Call {
  const type = `profile-subscription-bulk-${isOn ? 'create' : 'delete'}-job`;
  if (!isCurrent(config)) {
    const subscriptions = [{ ...person, ...oldChannels(event, config) }];
    return [`${type}s`, { data: { type, attributes: { list_id: listId, subscriptions } } }];
  }
  const id = isOn ? kit.externalId(event, 'klaviyo-profileId') : undefined;
  const attributes = { ...person, ...channels(event, config, { person, isOn }) };
  const data = {
    type,
    attributes: { profiles: { data: [{ type: 'profile', ...(id && { id }), attributes }] } },
    relationships: { list: { data: { type: 'list', id: listId } } },
  };
  return [`${type}s`, { data }];
}

/** The addresses of a person, to which a list writes. The external id of a mapped person may be one. */
function personOf(event: JsonObject): JsonObject {
  const externalId = kit.textAt(event, 'context.externalId.0.id');
  const email = kit.firstAt(event, kit.EMAIL) ?? (externalId && kit.isEmail(externalId) ? externalId : undefined);
  return kit.compact({ email, phone_number: kit.firstAt(event, kit.PHONE) });
}

/** v2 names channels only to subscribe, and v3 always. A channel needs its address. */
function channels(event: JsonObject, config: JsonObject, { person, isOn }: Omit<Subscription, 'listId'>): JsonObject {
  const isLatest = config['apiVersion'] === 'v3';
  if (!isLatest && !isOn) return {};
  const given = { traits: kit.givenTraits(event), config };
  const consent = channelsIn(kit.firstAt(given, ['traits.consent', 'traits.properties.consent', 'config.consent']));
  const state = { marketing: { consent: isOn ? 'SUBSCRIBED' : 'UNSUBSCRIBED' } };
  const subscriptions = {
    ...(consent.includes('email') && 'email' in person && { email: state }),
    ...(consent.includes('sms') && 'phone_number' in person && { sms: state }),
  };
  if (!kit.isEmpty(subscriptions)) return { subscriptions };
  return isLatest ? kit.refuse('a subscription needs consent to a channel, email or sms, that has an address') : {};
}

/** A list of channels, or a text that names some. */
const channelsIn = (consent: unknown): unknown[] =>
  typeof consent === 'string' ? consent.split(/[\s,;]+/) : [consent].flat();

function oldChannels(event: JsonObject, config: JsonObject): JsonObject {
  const given = { traits: kit.givenTraits(event), config };
  const consent = kit.firstAt(given, ['traits.properties.consent', 'config.consent']);
  if (!consent) return {};
  const named = ['email', 'sms'].filter((name) => channelsIn(consent).includes(name));
  return { channels: kit.objectOf(named.map((name) => [name, ['MARKETING']])) };
}

const PROFILES = 'data.attributes.profiles.data';
const profilesOf = (body: JsonObject): unknown[] => {
  const found = kit.valueAt(body, PROFILES);
  return Array.isArray(found) ? found : [];
};

/** Combines jobs for one list. Limit: 1,000 people to subscribe, 100 to unsubscribe. */
export const klaviyoBatch: BatchRule = {
  itemsMax: 100,
  bytesMax: 1_000_000,
  keyOf: ({ endpoint, headers, body }) => {
    if (profilesOf(body.JSON).length === 0) return undefined;
    return JSON.stringify([endpoint, headers, kit.valueAt(body.JSON, 'data.relationships')]);
  },
  combine: (payloads) => {
    const [first] = payloads;
    if (!first) throw new TypeError('a batch without payloads');
    const json = structuredClone(first.body.JSON);
    kit.setAt(
      json,
      PROFILES,
      payloads.flatMap(({ body }) => profilesOf(body.JSON)),
    );
    return { ...first, body: { ...first.body, JSON: json } };
  },
};
