import { isJsonObject, type JsonObject } from '@weir/contracts';
import type { BatchRule, DestinationKind, Payload } from '../kind.js';
import { restPayload } from '../payload.js';
import { sendPayload } from '../send-payload.js';
import * as kit from '../toolkit/index.js';

/** Track API, https://docs.customer.io/integrations/api/track/ */
const HOSTS: Readonly<Record<string, string>> = {
  US: 'https://track.customer.io/api',
  EU: 'https://track-eu.customer.io/api',
};
/** Customer.io refuses longer names of events. */
const EVENT_NAME_MAX = 100;
const DEVICE_EVENTS = ['Application Installed', 'Application Opened'];
const UNINSTALLED = 'Application Uninstalled';
const APPLE = ['ios', 'watchos', 'ipados', 'tvos'];
const OBJECT_TYPE_DEFAULT = '1';

/** 500 KB a request; only `/v2/batch`, which takes objects, is one for several. */
const objects = kit.batchBodies('batch', { itemsMax: 500, bytesMax: 480_000 });
export const customerioBatch: BatchRule = {
  ...objects,
  keyOf: (payload) => (isObjectCall(payload) ? objects.keyOf(payload) : undefined),
};
const isObjectCall = ({ endpoint, body }: Payload) => endpoint.endsWith('/v2/batch') && !('batch' in body.JSON);

/** An object that travels alone is a batch of one. */
export const customerioDeliver: NonNullable<DestinationKind['deliver']> = (payload, _config, outbound, options) =>
  sendPayload(isObjectCall(payload) ? objects.combine([payload]) : payload, outbound, options);

export function customerioTransform(event: JsonObject, config: JsonObject): Payload[] {
  const host = HOSTS[kit.configText(config, 'datacenter') || 'US'] ?? kit.refuse('datacenter must be US or EU');
  const headers = kit.basicAuth(kit.requiredText(config, 'siteID'), kit.requiredText(config, 'apiKey'));
  const call = (method: string, path: string, body: JsonObject = {}): Payload[] => [
    restPayload({
      method,
      endpoint: `${host}/${path}`,
      headers,
      body: { JSON: body },
      userId: kit.textAt(event, kit.USER_ID),
    }),
  ];
  return kit.byType(event, {
    identify: () => call('PUT', `v1/customers/${personPath(event)}`, attributesOf(event)),
    track: () => {
      const name = kit.eventName(event);
      const device = deviceCall(event, config, name);
      return device
        ? call(...device)
        : call('POST', eventPath(event), eventBody(event, 'event', name.slice(0, EVENT_NAME_MAX)));
    },
    page: () => {
      const name = kit.textAt(event, ['name', 'properties.url']) ?? kit.refuse('a page needs a name or properties.url');
      return call('POST', eventPath(event), eventBody(event, 'page', name));
    },
    screen: () => {
      const name = kit.textAt(event, ['event', 'name', 'properties.name']) ?? kit.refuse('a screen needs a name');
      return call('POST', eventPath(event), eventBody(event, 'event', `Viewed ${name} Screen`));
    },
    group: () => call('POST', 'v2/batch', objectOf(event)),
    alias: () => call('POST', 'v1/merge_customers', mergeOf(event)),
  });
}

/** The id, or else the address, by which Customer.io knows a person. */
const personOf = (event: JsonObject) => kit.textAt(event, [...kit.KNOWN_USER_ID, ...kit.trait('email')]);

const segment = (id: string): string =>
  id === '.' || id === '..' || !id.isWellFormed()
    ? kit.refuse('the user id cannot be part of an address')
    : encodeURIComponent(id);

const personPath = (event: JsonObject) => segment(personOf(event) ?? kit.refuse('userId or traits.email is required'));

function eventPath(event: JsonObject): string {
  const person = personOf(event);
  if (person) return `v1/customers/${segment(person)}/events`;
  if (!kit.textAt(event, 'anonymousId')) kit.refuse('userId, traits.email or anonymousId is required');
  return 'v1/events';
}

const secondsOf = (event: JsonObject) => kit.toUnixSeconds(kit.firstAt(event, kit.TIMESTAMP));

function attributesOf(event: JsonObject): JsonObject {
  const { address, ...traits } = kit.traitsOf(event);
  const createdAt = kit.toUnixSeconds(traits['createdAt']);
  const [identifier, value] = [
    kit.textAt(event, 'context.externalId.0.identifierType'),
    kit.textAt(event, 'context.externalId.0.id'),
  ];
  const isMapped = Boolean(kit.valueAt(event, 'context.mappedToDestination')) && identifier && value;
  return {
    ...(isJsonObject(address) ? address : kit.compact({ address })),
    ...kit.omit(traits, ['anonymousId', 'userId', 'createdAt']),
    ...kit.objectAt(event, 'user_properties'),
    ...(isMapped && { [identifier]: value }),
    ...kit.compact({
      created_at: createdAt,
      _timestamp: secondsOf(event),
      anonymous_id: kit.textAt(event, 'anonymousId'),
    }),
  };
}

function eventBody(event: JsonObject, type: string, name: string): JsonObject {
  const anonymousId = personOf(event) ? undefined : kit.textAt(event, 'anonymousId');
  const { properties } = event;
  const data = isJsonObject(properties) ? properties : undefined;
  return kit.compact({ name, type, data, timestamp: secondsOf(event), anonymous_id: anonymousId });
}

/** Events of an app with a push token say which devices a person has. */
function deviceCall(
  event: JsonObject,
  config: JsonObject,
  name: string,
): [method: string, path: string, body?: JsonObject] | undefined {
  const [person, token] = [personOf(event), kit.textAt(event, 'context.device.token')];
  if (name === UNINSTALLED) {
    if (!person || !token) kit.refuse(`${UNINSTALLED} needs a userId or traits.email, and context.device.token`);
    return ['DELETE', `v1/customers/${segment(person)}/devices/${segment(token)}`];
  }
  const registers = [...DEVICE_EVENTS, kit.configText(config, 'deviceTokenEventName')].includes(name);
  if (!registers || !person || !token) return undefined;
  const type = (kit.textAt(event, 'context.device.type') ?? '').toLowerCase();
  const device = {
    ...kit.objectAt(event, 'properties'),
    id: token,
    platform: APPLE.includes(type) ? 'ios' : type,
    ...kit.compact({ last_used: secondsOf(event) }),
  };
  return ['PUT', `v1/customers/${segment(person)}/devices`, { device }];
}

function objectOf(event: JsonObject): JsonObject {
  const groupId = kit.textAt(event, 'groupId') ?? kit.refuse('groupId is required');
  const { action, objectTypeId, object_type_id: typeId, ...attributes } = kit.objectAt(event, 'traits');
  const [id, email] = [kit.textAt(event, 'userId'), kit.textAt(event, 'context.traits.email')];
  const person = id ? { id } : email ? { email } : undefined;
  return {
    type: 'object',
    action: action ?? 'identify',
    attributes,
    identifiers: { object_id: groupId, object_type_id: String(objectTypeId ?? typeId ?? OBJECT_TYPE_DEFAULT) },
    ...(person && { cio_relationships: [{ identifiers: person }] }),
  };
}

function mergeOf(event: JsonObject): JsonObject {
  const [kept, merged] = [kit.textAt(event, 'userId'), kit.textAt(event, 'previousId')];
  if (!kept || !merged) kit.refuse('userId and previousId are required');
  return { primary: identifierOf(kept), secondary: identifierOf(merged) };
}

const identifierOf = (id: string): JsonObject => (/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(id) ? { email: id } : { id });
