import type { JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import type { Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { attributesOf, flatTraits, tagsOf } from './airship.people.js';

/** https://docs.airship.com/api/ua/ */
const HOSTS = { us: 'https://go.urbanairship.com/api', eu: 'https://go.airship.eu/api' };
const ACCEPT = 'application/vnd.urbanairship+json; version=3';
/** Properties with their own keys in an event. */
const BODY: kit.Mapping = {
  value: 'value',
  interaction_id: 'interactionId',
  interaction_type: 'interactionType',
  transaction: 'transaction',
};
/** Properties that are not sent below `properties`. */
const READ_PROPERTIES = [
  ...['interaction_id', 'interactionId', 'interaction_type', 'interactionType', 'value', 'session_id', 'sessionId'],
  'transaction',
];

const NAMED_USER = { type: 'object', required: ['named_user_id'], properties: { named_user_id: { type: 'string' } } };
const GROUPS = { type: 'object', additionalProperties: { type: 'array', minItems: 1, items: { type: 'string' } } };
const TAGS = {
  type: 'object',
  required: ['audience'],
  minProperties: 2,
  properties: { audience: NAMED_USER, add: GROUPS, remove: GROUPS },
};
const ATTRIBUTE = {
  type: 'object',
  required: ['action', 'key', 'timestamp'],
  properties: { action: { enum: ['set', 'remove'] }, key: { type: 'string' }, timestamp: { type: 'string' } },
};
const ATTRIBUTES = {
  type: 'object',
  required: ['attributes'],
  properties: { attributes: { type: 'array', minItems: 1, items: ATTRIBUTE } },
};
const EVENT = {
  type: 'object',
  required: ['user', 'body'],
  properties: {
    user: { ...NAMED_USER, required: [] },
    body: {
      type: 'object',
      required: ['name'],
      properties: { name: kit.FILLED_TEXT, properties: { type: 'object' } },
    },
  },
};

export default defineKind({
  name: 'AIRSHIP',
  displayName: 'Airship',
  messageTypes: ['identify', 'track', 'group'],
  config: {
    apiKey: kit.required(kit.secret('Bearer token')),
    appKey: kit.secret('App key, for custom events'),
    dataCenter: kit.asAddress(kit.flag('European data center')),
    timestampAttributes: kit.listOf(['timestampAttribute'], 'Traits that are times'),
  },
  example: {},
  requests: {
    'POST /api/named_users/tags': TAGS,
    'POST /api/named_users/{id}/attributes': ATTRIBUTES,
    'POST /api/custom-events': EVENT,
  },
  transform(event, config) {
    const host = kit.isOn(config, 'dataCenter') ? HOSTS.eu : HOSTS.us;
    const call = (path: string, body: JsonObject, headers: Record<string, string> = {}): Payload =>
      kit.jsonRequest(`${host}/${path}`, body, {
        headers: { accept: ACCEPT, ...kit.bearerAuth(kit.requiredText(config, 'apiKey')), ...headers },
      });
    const people = (tagGroup: string): Payload[] => {
      const user = kit.textAt(event, kit.USER_ID) ?? kit.refuse('userId or anonymousId is required');
      const address = `named_users/${kit.pathSegment(user)}/attributes`;
      const traits = flatTraits(event);
      const tags = tagsOf(traits, tagGroup);
      const attributes = attributesOf(event, config, traits);
      return [
        ...(kit.isEmpty(tags) ? [] : [call('named_users/tags', { audience: { named_user_id: user }, ...tags })]),
        ...(attributes.length === 0 ? [] : [call(address, { attributes })]),
      ];
    };
    return kit.byType(event, {
      identify: () => people(kit.SENDER.tagGroup),
      group: () => people(`${kit.SENDER.tagGroup}_group`),
      track: () => [call('custom-events', eventOf(event), { 'x-ua-appkey': kit.requiredText(config, 'appKey') })],
    });
  },
});

function eventOf(event: JsonObject): JsonObject {
  const properties = kit.objectAt(event, 'properties');
  const session = kit.textAt(event, ['properties.sessionId', 'context.sessionId'])?.trim();
  const others = kit.nested(kit.omit(properties, READ_PROPERTIES));
  const body = {
    name: kit.eventName(event).toLowerCase().replace(/\s+/g, '_'),
    ...kit.mapFields(properties, BODY),
    ...(session && { session_id: kit.uuidOf(session) }),
    ...kit.withoutEmpty({ properties: others }),
  };
  // `occured` is the spelling of the recorded wire format. Without a time, Airship uses the time of arrival.
  return {
    ...kit.mapFields(event, { occured: kit.TIMESTAMP }),
    // Existing senders name no user of anonymous events.
    user: kit.mapFields(event, { named_user_id: { from: 'userId', as: kit.toText } }),
    body,
  };
}
