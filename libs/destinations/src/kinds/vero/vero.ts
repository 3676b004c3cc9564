import { isJsonObject, type JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import type { Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

/** https://help.getvero.com/api-reference */
const API = 'https://api.getvero.com/api/v2';

const ID: kit.Rule = { from: kit.USER_ID, as: kit.onlyId };
const USER: kit.Mapping = { id: ID, email: { from: kit.EMAIL, as: kit.onlyText } };
const ALIAS: kit.Mapping = {
  id: { from: 'previousId', as: kit.onlyId, required: true },
  new_id: { ...ID, required: true },
};
/** Changes of a subscription name their user by the id alone. */
const SUBSCRIBER: kit.Mapping = { id: { ...ID, required: true } };
const DEVICE: kit.Mapping = {
  address: 'context.device.token',
  platform: 'context.os.name',
  device: 'context.device.name',
};
/** Facts of the context beside the traits. Vero schedules by the time zone. */
const SETTINGS: kit.Mapping = {
  timezone: 'context.timezone',
  locale: 'context.locale',
  userAgent: 'context.userAgent',
};
/** Microseconds at a whole second. Vero tells repeated events by it. */
const toMicroseconds: kit.Conversion = (time) => {
  const seconds = kit.toUnixSeconds(time);
  const micros = (seconds ?? Number.NaN) * 1_000_000;
  return Number.isSafeInteger(micros) ? micros : undefined;
};
const CHECK: kit.Mapping = { check_id: { from: kit.TIMESTAMP, as: toMicroseconds } };
/** Track events that become separate calls. */
const SUBSCRIPTIONS = ['unsubscribe', 'resubscribe'];

/** Users are known by an id or an e-mail. */
const KNOWN = {
  type: 'object',
  properties: { id: kit.FILLED_ID, email: kit.FILLED_TEXT },
  anyOf: [{ required: ['id'] }, { required: ['email'] }],
};
const ofPerson = (properties: JsonObject = {}) => ({
  type: 'object',
  required: ['auth_token', 'id', ...Object.keys(properties)],
  properties: { auth_token: kit.FILLED_TEXT, id: kit.FILLED_ID, ...properties },
});

export default defineKind({
  name: 'VERO',
  displayName: 'Vero',
  messageTypes: ['identify', 'track', 'page', 'screen', 'alias'],
  config: { apiKey: kit.secret('API key of the SDKs'), authToken: kit.secret('Authentication token of the Track API') },
  example: {},
  requests: {
    'POST /api/v2/users/track': { ...KNOWN, required: ['auth_token'] },
    'PUT /api/v2/users/tags/edit': ofPerson(),
    'POST /api/v2/users/{change}': ofPerson(),
    'PUT /api/v2/users/reidentify': ofPerson({ new_id: kit.FILLED_ID }),
    'POST /api/v2/events/track': {
      type: 'object',
      required: ['auth_token', 'identity', 'event_name'],
      properties: {
        auth_token: kit.FILLED_TEXT,
        identity: KNOWN,
        event_name: kit.FILLED_TEXT,
        data: { type: 'object' },
      },
    },
  },
  transform(event, config) {
    const call = (method: string, path: string, body: JsonObject): Payload =>
      kit.restPayload({
        method,
        endpoint: `${API}/${path}`,
        body: { JSON: { ...body, auth_token: kit.requiredText(config, 'authToken') } },
      });
    const eventCall = (name: string) => call('POST', 'events/track', eventOf(event, name));
    const tags = (): Payload[] => {
      const [change, user] = [changedTags(event), kit.mapFields(event, { id: ID })];
      return change && !kit.isEmpty(user) ? [call('PUT', 'users/tags/edit', { ...user, ...change })] : [];
    };
    return kit.byType(event, {
      identify: () => [call('POST', 'users/track', userOf(event)), ...tags()],
      track: () => {
        const name = kit.eventName(event);
        const path = name.toLowerCase();
        if (SUBSCRIPTIONS.includes(path)) return [call('POST', `users/${path}`, kit.mapFields(event, SUBSCRIBER))];
        return [eventCall(name), ...tags()];
      },
      page: () => [eventCall(viewed(event, 'Page'))],
      screen: () => [eventCall(viewed(event, 'Screen'))],
      alias: () => [call('PUT', 'users/reidentify', kit.mapFields(event, ALIAS))],
    });
  },
});

function personOf(event: JsonObject): JsonObject {
  const person = kit.mapFields(event, USER);
  return kit.isEmpty(person) ? kit.refuse('userId, anonymousId or traits.email is required') : person;
}

/** Traits of the context count more here than those of the event, as existing senders know it. */
function userOf(event: JsonObject): JsonObject {
  const traits = [kit.valueAt(event, 'context.traits'), event['traits']].find(isJsonObject);
  const settings = kit.mapFields(event, SETTINGS);
  const device = kit.mapFields(event, DEVICE);
  const isDevice = device['address'] !== undefined && device['platform'] !== undefined;
  return {
    ...personOf(event),
    ...(isDevice && { channels: [{ type: 'push', ...device }] }),
    ...((traits || !kit.isEmpty(settings)) && { data: kit.merged(kit.omit(traits ?? {}, ['email']), settings) }),
  };
}

function eventOf(event: JsonObject, name: string): JsonObject {
  const extras = kit.mapFields(event, CHECK);
  return kit.compact({
    identity: personOf(event),
    event_name: name,
    data: kit.onlyObject(event['properties']),
    extras: kit.isEmpty(extras) ? undefined : extras,
  });
}

/** Both lists as given, if one of them has a tag. */
function changedTags(event: JsonObject): JsonObject | undefined {
  const { add, remove } = kit.objectAt(kit.integrationOptions(event, 'vero'), 'tags');
  const lists = kit.compact({ add: kit.onlyArray(add), remove: kit.onlyArray(remove) });
  return Object.values(lists).some((list) => !kit.isEmpty(list)) ? lists : undefined;
}

const viewed = (event: JsonObject, what: string) =>
  ['Viewed', kit.textAt(event, 'properties.category'), kit.textAt(event, 'name'), what].filter(Boolean).join(' ');
