import type { JsonObject } from '@weir/contracts';
import type { BatchRule } from '../kind.js';
import * as kit from '../toolkit/index.js';

const CHANNELS = ['email', 'sms'];

export interface Subscription {
  listId: string;
  isOn: boolean;
  consent: unknown;
}

/** Path and body of a job that subscribes or unsubscribes the person of an event. */
export function subscriptionJob(
  event: JsonObject,
  config: JsonObject,
  { listId, isOn, consent }: Subscription,
): [path: string, body: JsonObject] {
  const person = kit.mapFields(kit.mergedTraits(event), { email: 'email', phone_number: 'phone' });
  if (kit.isEmpty(person)) kit.refuse('a subscription needs an email or a phone');
  const type = `profile-subscription-bulk-${isOn ? 'create' : 'delete'}-job`;
  const wanted = [consent ?? config['consent']]
    .flat()
    .filter((channel): channel is string => CHANNELS.includes(String(channel)));
  if (!isCurrent(config)) {
    if (!isOn) kit.refuse('this revision of the API cannot unsubscribe: set apiVersion to v3');
    const channels = kit.objectOf(wanted.map((channel) => [channel, ['MARKETING']]));
    const subscription = { ...person, ...(wanted.length > 0 && consent !== undefined && { channels }) };
    return [`${type}s`, { data: { type, attributes: { list_id: listId, subscriptions: [subscription] } } }];
  }
  const state = { marketing: { consent: isOn ? 'SUBSCRIBED' : 'UNSUBSCRIBED' } };
  const saysChannels = wanted.length > 0 && (isOn || config['apiVersion'] === 'v3');
  const subscriptions = kit.objectOf(wanted.map((channel) => [channel, state]));
  const attributes = { ...person, ...(saysChannels && { subscriptions }) };
  const data = {
    type,
    attributes: { profiles: { data: [{ type: 'profile', attributes }] } },
    relationships: { list: { data: { type: 'list', id: listId } } },
  };
  return [`${type}s`, { data }];
}

export const isCurrent = (config: JsonObject): boolean =>
  config['apiVersion'] === 'v2' || config['apiVersion'] === 'v3';

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
