import type { JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import { sendPayload } from '../../delivery/send-payload.js';
import type { DestinationKind, Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { customData, DEVICE, EVENT, NORMALIZED, PARTNER, PERSON } from './pinterest_tag.fields.js';
import { pinterestTagRequests } from './pinterest_tag.requests.js';

/** Up to a thousand events in a list. A single event is a list too. https://developers.pinterest.com/docs/api/v5/events-create */
export const pinterestTagBatch = kit.batchBodies('data', { itemsMax: 1_000, bytesMax: 1_000_000 });

const isList = ({ body }: Payload) => Array.isArray(body.JSON['data']);

export const pinterestTagDeliver: NonNullable<DestinationKind['deliver']> = (payload, _config, outbound, options) =>
  sendPayload(isList(payload) ? payload : pinterestTagBatch.combine([payload]), outbound, options);

/** Version 3, for older configurations. */
const LEGACY_ENDPOINT = 'https://ct.pinterest.com/events/v3';
const HOST = 'https://api.pinterest.com/v5';
const SOURCES = ['app_android', 'app_ios', 'web', 'offline'];
const EVENTS: Readonly<Record<string, string>> = {
  'order completed': 'checkout',
  'product added': 'add_to_cart',
  'product list filtered': 'search',
  'products searched': 'search',
};

export default defineKind({
  name: 'PINTEREST_TAG',
  displayName: 'Pinterest Tag',
  messageTypes: ['page', 'screen', 'track'],
  transformAtV1: 'router',
  config: {
    tagId: kit.text('Tag ID, for the web SDK'),
    appId: kit.text('App ID'),
    advertiserId: kit.text('Advertiser ID, for the legacy API'),
    apiVersion: kit.asAddress(kit.choice(['newApi', 'legacyApi'], '`newApi` is version 5 of the API for conversions')),
    adAccountId: kit.secret('Ad account ID, for version 5'),
    sendAsTestEvent: kit.flag('Events are tests, which Pinterest only checks'),
    conversionToken: kit.secret('Conversion access token, for version 5'),
    sendingUnHashedData: kit.flag('On: Weir hashes the plain personal data of events. Off: it is sent as it comes'),
    deduplicationKey: kit.text('Path of the event id. Default: the message id'),
    sendExternalId: kit.flag('Send the hashed user id as external_id'),
    customProperties: kit.listOf(['properties'], 'Properties of custom events, for the web SDK'),
    sendAsCustomEvent: kit.flag('Send events that are not mapped as custom events'),
    eventsMapping: kit.listOf(['from', 'to'], 'Event of Pinterest in `to` for the event in `from`'),
    enhancedMatch: kit.flag('Enhanced match, for the web SDK'),
    blacklistedEvents: kit.listOf(['eventName'], 'Events that are not sent'),
    whitelistedEvents: kit.listOf(['eventName'], 'Events that are sent'),
    eventFilteringOption: kit.choice(
      ['disable', 'whitelistedEvents', 'blacklistedEvents'],
      'Which of both lists counts',
    ),
  },
  example: {
    apiVersion: 'newApi',
    sendAsCustomEvent: true,
    tagId: 'tag-1',
    appId: 'app-1',
    advertiserId: 'adv-1',
  },
  requests: pinterestTagRequests,
  transform(event, config) {
    const send = (names: readonly string[], more: JsonObject = {}) =>
      names.map((name) => request(event, config, name, more));
    return kit.byType(event, {
      page: () => send([event['category'] ? 'view_category' : 'page_visit']),
      screen: () => send(eventNames(event, config)),
      track: () => send(eventNames(event, config), { custom_data: customData(event) }),
    });
  },
  batch: pinterestTagBatch,
  deliver: pinterestTagDeliver,
});

/** The configured names of an event, or its standard one. Pinterest gets any other as it is, or as a custom event if enabled. */
function eventNames(event: JsonObject, config: JsonObject): string[] {
  const name = kit.eventName({ event: kit.onlyText(event['event'] ?? event['name']) });
  const mapped = kit
    .configList(config, 'eventsMapping')
    .filter(({ from }) => from === name)
    .map(({ to }) => snakeCase(kit.toText(to) ?? ''))
    .filter(kit.isGiven);
  const standard = kit.lookedUp(EVENTS, name.toLowerCase());
  return mapped.length > 0 ? mapped : [standard ?? (kit.isOn(config, 'sendAsCustomEvent') ? 'custom' : name)];
}

/** Converts `WatchVideo` of a configuration to `watch_video` on the wire. */
const snakeCase = (name: string) => kit.commerceKey(name).replaceAll(' ', '_');

function request(event: JsonObject, config: JsonObject, name: string, more: JsonObject): Payload {
  const { endpoint, headers, account } = versionOf(event, config);
  const body = {
    event_name: name,
    action_source: actionSource(event),
    ...kit.mapFields(event, EVENT),
    ...(kit.valueAt(event, 'properties.partnerName') ? kit.mapFields(event, PARTNER) : {}),
    ...optOut(event),
    event_id: kit.onlyId(kit.firstAt(event, [kit.configText(config, 'deduplicationKey'), 'messageId'].filter(Boolean))),
    app_id: config['appId'],
    ...account,
    user_data: userData(event, config),
    ...more,
  };
  const params = kit.isOn(config, 'sendAsTestEvent') ? { test: true } : {};
  return kit.jsonRequest(endpoint, kit.compact(body), { headers, params });
}

/** Where the configured version of the API is, and what only that version gets. */
function versionOf(event: JsonObject, config: JsonObject) {
  if (config['apiVersion'] !== 'newApi') {
    const account: JsonObject = { advertiser_id: kit.requiredText(config, 'advertiserId') };
    return { endpoint: LEGACY_ENDPOINT, headers: {}, account };
  }
  const endpoint = `${HOST}/ad_accounts/${encodeURIComponent(kit.requiredText(config, 'adAccountId'))}/events`;
  const headers = kit.bearerAuth(kit.requiredText(config, 'conversionToken'));
  const isAllowed = kit.valueAt(event, 'context.device.adTrackingEnabled');
  const account: JsonObject = typeof isAllowed === 'boolean' ? { advertiser_tracking_enabled: isAllowed } : {};
  return { endpoint, headers, account };
}

const ACTION_SOURCES = [
  ...[...kit.trait('action_source'), ...kit.trait('actionSource')],
  ...[...kit.property('action_source', 'actionSource'), 'channel'],
];

function actionSource(event: JsonObject): string {
  const source = kit.textAt(event, ACTION_SOURCES) ?? '';
  if (!SOURCES.includes(source)) kit.refuse(`properties.action_source must be one of ${SOURCES.join(', ')}`);
  return source;
}

/** Allowed tracking means no opt-out. Anything that is not clearly allowed is not. */
function optOut(event: JsonObject): JsonObject {
  const isAllowed = kit.valueAt(event, 'context.device.adTrackingEnabled');
  return isAllowed === undefined ? {} : { opt_out: !isAllowed };
}

/** Each personal field is a list of texts. Numbers are left out, because nobody can tell what they were before. */
function userData(event: JsonObject, config: JsonObject): JsonObject {
  const external = kit.isOn(config, 'sendExternalId') ? { external_id: kit.USER_ID } : {};
  const person = Object.entries(kit.mapFields(event, { ...PERSON, ...external })).map(([key, value]) => {
    const texts = [value].flat().filter((item): item is string => typeof item === 'string' && item !== '');
    return [
      key,
      kit.isOn(config, 'sendingUnHashedData') ? texts.flatMap((text) => hashedAs(key, text)) : texts,
    ] as const;
  });
  const data = { ...kit.withoutEmpty(kit.objectOf(person)), ...kit.mapFields(event, DEVICE) };
  const isKnown = [['em'], ['hashed_maids'], ['client_ip_address', 'client_user_agent']].some((keys) =>
    keys.every((key) => Object.hasOwn(data, key)),
  );
  return isKnown ? data : kit.refuse('the event needs an email, an advertising id, or an ip with a user agent');
}

/** Nothing, if nothing is left of the text. */
function hashedAs(key: string, text: string): string[] {
  const normal = kit.lookedUp(NORMALIZED, key)?.(text) ?? text;
  return normal === '' ? [] : [kit.sha256(normal)];
}
