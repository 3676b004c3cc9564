import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import * as kit from '../toolkit/index.js';
import { attributesOf, tagsOf } from './airship.traits.js';

/** https://docs.airship.com/api/ua/ */
const HOSTS = { us: 'https://go.urbanairship.com/api', eu: 'https://go.airship.eu/api' };
const ACCEPT = 'application/vnd.urbanairship+json; version=3';
/** Properties with their own keys in an event. All others go under `properties`. */
const BODY: kit.Mapping = {
  value: 'value',
  transaction: 'transaction',
  interaction_id: ['interaction_id', 'interactionId'],
  interaction_type: ['interaction_type', 'interactionType'],
};

export function airshipTransform(event: JsonObject, config: JsonObject): Payload[] {
  const host = kit.isOn(config, 'dataCenter') ? HOSTS.eu : HOSTS.us;
  const call = (path: string, body: JsonObject, headers: Record<string, string> = {}): Payload =>
    kit.jsonRequest(`${host}/${path}`, body, {
      headers: { accept: ACCEPT, ...kit.bearerAuth(kit.requiredText(config, 'apiKey')), ...headers },
    });
  const people = (traits: JsonObject, tagGroup: string): Payload[] => {
    const user = userOf(event);
    const { add, remove } = tagsOf(traits);
    const attributes = attributesOf(event, config, traits);
    const tags = kit.withoutEmpty({
      add: add.length > 0 ? { [tagGroup]: add } : {},
      remove: remove.length > 0 ? { [tagGroup]: remove } : {},
    });
    if (kit.isEmpty(tags) && attributes.length === 0) kit.refuse('the event has no traits');
    return [
      ...(kit.isEmpty(tags) ? [] : [call('named_users/tags', { audience: { named_user_id: user }, ...tags })]),
      ...(attributes.length === 0 ? [] : [call(`named_users/${kit.pathSegment(user)}/attributes`, { attributes })]),
    ];
  };
  return kit.byType(event, {
    identify: () => people(kit.omit(kit.traitsOf(event), ['userId', 'anonymousId']), kit.SENDER.tagGroup),
    group: () => people(kit.objectAt(event, 'traits'), `${kit.SENDER.tagGroup}_group`),
    track: () => [call('custom-events', eventOf(event), { 'x-ua-appkey': kit.requiredText(config, 'appKey') })],
  });
}

function userOf(event: JsonObject): string {
  const user = kit.textAt(event, kit.KNOWN_USER_ID) ?? kit.refuse('userId is required');
  if (user === '.' || user === '..' || !user.isWellFormed()) kit.refuse('the user id cannot be part of an address');
  return user;
}

function eventOf(event: JsonObject): JsonObject {
  const properties = kit.objectAt(event, 'properties');
  const others = kit.omit(properties, [...kit.keysRead(BODY), 'sessionId']);
  const session = kit.textAt(event, ['properties.sessionId', 'context.sessionId']);
  const body = {
    name: kit.eventName(event).trim().toLowerCase().replace(/\s+/g, '_'),
    ...kit.mapFields(properties, BODY),
    ...(session !== undefined && { session_id: kit.isUuid(session) ? session : kit.uuidOf(session) }),
    ...(!kit.isEmpty(others) && { properties: others }),
  };
  // `occured` is the spelling of the recorded wire format. Without a time, Airship uses the time of arrival.
  return {
    ...kit.compact({ occured: kit.firstAt(event, kit.TIMESTAMP) }),
    user: { named_user_id: userOf(event) },
    body,
  };
}
