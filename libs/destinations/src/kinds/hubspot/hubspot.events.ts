import { isJsonObject, type JsonObject } from '@weir/contracts';
import type { Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { API } from './hubspot.contacts.js';
import { contactProperties } from './hubspot.properties.js';

/** https://developers.hubspot.com/docs/api-reference/events-send-event-completions-v3 */
export const SEND = `${API}/events/v3/send`;
/** https://legacydocs.hubspot.com/docs/methods/enterprise_events/http_api */
export const LEGACY_SEND = 'https://track.hubspot.com/v1/event';

/** A date and time in text is sent as it is. */
const toDateTime: kit.Conversion = (value) =>
  typeof value === 'string' && kit.toUnixMillis(value) !== undefined && !/^\d+$/.test(value) ? value : kit.toIso(value);

const PERSON: kit.Mapping = {
  utk: { from: [...kit.trait('utk'), 'properties.utk'], as: kit.onlyId },
  email: { from: kit.LINKED_EMAIL, as: kit.onlyId },
  occurredAt: { from: ['properties.occurred_at', ...kit.TIMESTAMP], as: toDateTime },
  objectId: { from: [...kit.trait('objectId'), 'properties.objectId'], as: kit.onlyId },
};

/** Properties that HubSpot defines for every event. */
const DEFINED: kit.Mapping = {
  hs_asset_description: kit.property('assetDescription', 'hsAssetDescription'),
  hs_asset_type: kit.property('assetType', 'hsAssetType'),
  hs_campaign_id: kit.property('campaignId'),
  hs_city: [...kit.CITY, 'properties.address.city'],
  hs_country: [...kit.COUNTRY, 'properties.address.country'],
  hs_device_name: 'context.device.name',
  hs_element_class: kit.property('elementClass', 'hsElementClass'),
  hs_element_id: kit.property('elementId', 'hsElementId'),
};

/** An occurrence of an event that the account defines. */
export function completionOf(event: JsonObject, config: JsonObject, headers: Record<string, string>): Payload {
  const mapping = mappingOf(event, config);
  const person = kit.mapFields(event, PERSON);
  if (!['email', 'utk', 'objectId'].some((key) => key in person)) {
    kit.refuse('the event needs an email, a utk or an objectId');
  }
  const own = new Map(kit.configPairs(mapping, 'eventProperties'));
  const take = kit.meter();
  const properties = [...own].map(([from, to]) => {
    const value = kit.valueAt(event, `properties.${from}`);
    take(value);
    return [to, value] as const;
  });
  const body = {
    ...person,
    eventName: kit.configText(mapping, 'hubspotEventName'),
    properties: kit.merged(
      kit.objectOf(properties.filter(([, value]) => isFilled(value))),
      kit.mapFields(event, DEFINED),
    ),
  };
  return kit.jsonRequest(SEND, body, { headers });
}

const isFilled = (value: unknown) => kit.isGiven(kit.trimmed(value));

/** The entry of `hubspotEvents` for the name, whatever its case. */
function mappingOf(event: JsonObject, config: JsonObject): JsonObject {
  if (!event['event']) kit.refuse('Event name is required');
  if (!Array.isArray(config['hubspotEvents']))
    kit.refuse("hubspotEvents is required in the destination's configuration");
  if (typeof event['event'] !== 'string') kit.refuse('Event name must be a text');
  const name = kit.eventName(event);
  const key = name.trim().toLowerCase();
  const mapping = kit
    .configList(config, 'hubspotEvents')
    .find(
      (entry) =>
        kit.configText(entry, 'rsEventName').toLowerCase() === key && kit.configText(entry, 'hubspotEventName'),
    );
  return isJsonObject(mapping) ? mapping : kit.refuse(`hubspotEvents has no event for ${name}`);
}

/** The older API takes an event and the properties of its contact as a query. */
export function legacyEventOf(event: JsonObject, config: JsonObject, headers: Record<string, string>): Payload {
  const value = kit
    .property('revenue', 'value', 'total')
    .map((path) => kit.valueAt(event, path))
    .find(Boolean);
  const params = kit.compact({
    _a: kit.requiredText(config, 'hubID'),
    _n: kit.eventName(event),
    _m: kit.onlyId(value),
    id: kit.externalId(event, 'hubspotId'),
  });
  const endpoint = {
    method: 'GET',
    endpoint: LEGACY_SEND,
    headers: { 'content-type': 'application/json', ...headers },
  };
  return kit.restPayload({ ...endpoint, params: kit.merged(contactProperties(event, config), params) });
}

/** Keys of a query that are not properties of the contact. */
export const LEGACY_EVENT_KEYS = ['_a', '_n', '_m', 'id'];
