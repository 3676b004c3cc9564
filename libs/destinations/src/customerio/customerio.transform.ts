import { isJsonObject, type JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import { restPayload } from '../payload.js';
import * as kit from '../toolkit/index.js';
import { deviceCall, eventBody, eventPath } from './customerio.events.js';
import { personPath, secondsOf } from './customerio.person.js';

/** Track API, https://docs.customer.io/integrations/api/track/ */
const HOSTS: Readonly<Record<string, string>> = {
  US: 'https://track.customer.io/api',
  EU: 'https://track-eu.customer.io/api',
};
/** Customer.io refuses longer event names. */
const EVENT_NAME_MAX = 100;
const OBJECT_TYPE_DEFAULT = '1';

export function customerioTransform(event: JsonObject, config: JsonObject): Payload[] {
  const host =
    kit.lookedUp(HOSTS, kit.configText(config, 'datacenter') || 'US') ?? kit.refuse('datacenter must be US or EU');
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

function attributesOf(event: JsonObject): JsonObject {
  const traits = kit.traitsOf(event);
  const { address } = traits;
  const createdAt = kit.toUnixSeconds(traits['createdAt']);
  const [identifier, value] = [
    kit.textAt(event, 'context.externalId.0.identifierType'),
    kit.textAt(event, 'context.externalId.0.id'),
  ];
  const isMapped = Boolean(kit.valueAt(event, 'context.mappedToDestination')) && identifier && value;
  return kit.merged(
    isJsonObject(address) ? address : kit.compact({ address }),
    kit.omit(traits, ['address', 'anonymousId', 'userId', 'createdAt']),
    kit.objectAt(event, 'user_properties'),
    isMapped ? { [identifier]: value } : {},
    kit.compact({
      created_at: createdAt,
      _timestamp: secondsOf(event),
      anonymous_id: kit.textAt(event, 'anonymousId'),
    }),
  );
}

function objectOf(event: JsonObject): JsonObject {
  const groupId = kit.textAt(event, 'groupId') ?? kit.refuse('groupId is required');
  const traits = kit.objectAt(event, 'traits');
  const { action, objectTypeId, object_type_id: typeId } = traits;
  const attributes = kit.omit(traits, ['action', 'objectTypeId', 'object_type_id']);
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

const identifierOf = (id: string): JsonObject => (kit.isEmail(id) ? { email: id } : { id });
