import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import * as kit from '../toolkit/index.js';
import { COMMERCE, EVENT, READ_PROPERTIES } from './klaviyo.fields.js';
import { customerOf, flattened, profileOf } from './klaviyo.profile.js';
import { isCurrent, subscriptionJob } from './klaviyo.subscription.js';

const API = 'https://a.klaviyo.com/api';
const REVISIONS: Readonly<Record<string, string>> = { v1: '2023-02-22', v2: '2024-10-15', v3: '2026-04-15' };

/** Profiles, events and subscriptions: https://developers.klaviyo.com/en/reference/api_overview */
export function klaviyoTransform(event: JsonObject, config: JsonObject): Payload[] {
  const call = ([path, body]: readonly [string, JsonObject], version = kit.configText(config, 'apiVersion')): Payload =>
    kit.jsonRequest(`${API}/${path}`, body, {
      headers: {
        authorization: `Klaviyo-API-Key ${kit.requiredText(config, 'privateApiKey')}`,
        accept: 'application/json',
        revision: kit.lookedUp(REVISIONS, version || 'v1') ?? kit.refuse('apiVersion must be v1, v2 or v3'),
      },
    });
  return kit.byType(event, {
    identify: () => {
      // The oldest revision has no call that creates or updates profiles, so they use the next revision.
      const current = isCurrent(config) ? config : { ...config, apiVersion: 'v2' };
      const version = String(current['apiVersion']);
      return [
        call(profileImport(event, current), version),
        ...identifySubscription(event, current).map((job) => call(job, version)),
      ];
    },
    track: () => [call(eventBody(event, config, kit.eventName(event)))],
    screen: () => [
      call(eventBody(event, config, kit.textAt(event, ['name', 'event']) ?? kit.refuse('a screen needs a name'))),
    ],
    group: () => {
      const listId = kit.textAt(event, 'groupId') ?? kit.refuse('groupId, the id of the list, is required');
      const isOn =
        kit.toBoolean(kit.valueAt(event, 'traits.subscribe')) ?? kit.refuse('traits.subscribe must be true or false');
      return [call(subscriptionJob(event, config, { listId, isOn, consent: kit.valueAt(event, 'traits.consent') }))];
    },
  });
}

function profileImport(event: JsonObject, config: JsonObject): [string, JsonObject] {
  const id = kit.externalId(event, 'klaviyo-profileId');
  return ['profile-import', { data: { type: 'profile', ...(id && { id }), ...profileOf(event, config) } }];
}

/** `traits.properties: { subscribe, listId, consent }`. */
function identifySubscription(event: JsonObject, config: JsonObject): [string, JsonObject][] {
  const wanted = kit.objectAt(kit.mergedTraits(event), 'properties');
  const [isOn, listId] = [
    kit.toBoolean(wanted['subscribe']),
    kit.textAt(wanted, 'listId') ?? kit.configText(config, 'listId'),
  ];
  if (isOn === undefined || listId === '') return [];
  return [subscriptionJob(event, config, { listId, isOn, consent: wanted['consent'] })];
}

function eventBody(event: JsonObject, config: JsonObject, name: string): [string, JsonObject] {
  if (!isCurrent(config))
    return ['events', { data: { type: 'event', attributes: oldAttributes(event, config, name) } }];
  const { attributes: profile, meta } = profileOf(event, config);
  const attributes = {
    ...kit.mapFields(event, EVENT),
    metric: { data: { type: 'metric', attributes: { name } } },
    properties: flattened(kit.omit(kit.objectAt(event, 'properties'), READ_PROPERTIES), config),
    profile: { data: { type: 'profile', attributes: { ...profile, meta } } },
  };
  return ['events', { data: { type: 'event', attributes } }];
}

function oldAttributes(event: JsonObject, config: JsonObject, name: string): JsonObject {
  const commerce = event['type'] === 'track' ? kit.lookedUp(COMMERCE, kit.commerceKey(name)) : undefined;
  const given = kit.objectAt(event, 'properties');
  const items = commerce?.items ? kit.mapProducts(kit.productList(event), commerce.items) : [];
  const properties = commerce
    ? { ...kit.mapFields(given, commerce.properties), ...(items.length > 0 && { items }) }
    : flattened(given, config);
  return { metric: { name: commerce?.name ?? name }, properties, profile: customerOf(event, config) };
}
