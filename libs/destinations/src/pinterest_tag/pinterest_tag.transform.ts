import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import * as kit from '../toolkit/index.js';
import { CONTENT, CUSTOM, DEVICE, EVENT, PERSON } from './pinterest_tag.fields.js';

/** Version 3, for older configurations. */
const LEGACY_ENDPOINT = 'https://ct.pinterest.com/events/v3';
const HOST = 'https://api.pinterest.com/v5';
const SOURCES = ['app_android', 'app_ios', 'web', 'offline'];
const EVENTS: Readonly<Record<string, string>> = {
  'order completed': 'checkout',
  'product added': 'add_to_cart',
  'product list filtered': 'search',
  'products searched': 'search',
  'product viewed': 'page_visit',
  'product list viewed': 'view_category',
};

export function pinterestTagTransform(event: JsonObject, config: JsonObject): Payload[] {
  return kit.byType(event, {
    page: () => [request(event, config, pageEvent(event), {})],
    screen: () => [request(event, config, pageEvent(event), {})],
    track: () => track(event, config),
  });
}

const pageEvent = (event: JsonObject) => {
  const category = kit.firstAt(event, ['category', 'properties.category']);
  return category === undefined ? 'page_visit' : 'view_category';
};

/** One event per configured mapping. Without a mapping, the standard e-commerce event, or a custom event if enabled. */
function track(event: JsonObject, config: JsonObject): Payload[] {
  const key = kit.commerceKey(kit.eventName(event));
  const mapped = kit
    .configPairs(config, 'eventsMapping')
    .filter(([from]) => kit.commerceKey(from) === key)
    .map(([, to]) => snakeCase(to));
  const names = mapped.length > 0 ? mapped : [standardEvent(key, config)];
  return names.map((name) => request(event, config, name, { custom_data: customData(event) }));
}

function standardEvent(key: string, config: JsonObject): string {
  const known = Object.hasOwn(EVENTS, key) ? EVENTS[key] : undefined;
  if (known) return known;
  if (kit.isOn(config, 'sendAsCustomEvent')) return 'custom';
  return kit.refuse('the event has no event of Pinterest: name one in eventsMapping, or turn sendAsCustomEvent on');
}

/** Converts `WatchVideo` of a configuration to `watch_video` on the wire. */
const snakeCase = (name: string) => kit.commerceKey(name).replaceAll(' ', '_');

function request(event: JsonObject, config: JsonObject, name: string, more: JsonObject): Payload {
  const isNew = config['apiVersion'] === 'newApi';
  const body = {
    event_name: name,
    action_source: actionSource(event),
    ...kit.mapFields(event, EVENT),
    ...optOut(event),
    event_id: eventId(event, config),
    ...kit.withoutEmpty({ app_id: kit.configText(config, 'appId') }),
    user_data: userData(event, config),
    ...more,
  };
  const params = kit.isOn(config, 'sendAsTestEvent') ? { test: true } : {};
  if (!isNew) {
    const advertiser_id = kit.requiredText(config, 'advertiserId');
    return kit.jsonRequest(LEGACY_ENDPOINT, kit.compact({ ...body, advertiser_id }), { params });
  }
  const account = encodeURIComponent(kit.requiredText(config, 'adAccountId'));
  const headers = kit.bearerAuth(kit.requiredText(config, 'conversionToken'));
  const advertiser_tracking_enabled = kit.valueAt(event, 'context.device.adTrackingEnabled');
  const endpoint = `${HOST}/ad_accounts/${account}/events`;
  return kit.jsonRequest(endpoint, kit.compact({ ...body, advertiser_tracking_enabled }), { headers, params });
}

/** The source from the event or its channel. A mobile channel becomes the app of its system. */
function actionSource(event: JsonObject): string {
  const given = kit.textAt(event, [...kit.trait('action_source'), 'properties.action_source', 'channel']) ?? '';
  const family = kit.deviceFamily(event, ['context.os.name', 'context.device.type']);
  const source = given === 'mobile' && family ? { apple: 'app_ios', android: 'app_android' }[family] : given;
  if (!SOURCES.includes(source)) kit.refuse(`properties.action_source must be one of ${SOURCES.join(', ')}`);
  return source;
}

/** Allowed tracking means no opt-out. */
function optOut(event: JsonObject): JsonObject {
  const isAllowed = kit.toBoolean(kit.valueAt(event, 'context.device.adTrackingEnabled'));
  return isAllowed === undefined ? {} : { opt_out: !isAllowed };
}

const eventId = (event: JsonObject, config: JsonObject) =>
  kit.textAt(event, [kit.configText(config, 'deduplicationKey') || 'messageId', 'messageId']);

/** Each personal field is a list of the given values, hashed unless they are already. */
function userData(event: JsonObject, config: JsonObject): JsonObject {
  const isPlain = kit.isOn(config, 'sendingUnHashedData');
  const external = kit.isOn(config, 'sendExternalId') ? { external_id: kit.USER_ID } : {};
  const person = Object.entries(kit.mapFields(event, { ...PERSON, ...external })).map(([key, value]) => {
    const values = [value].flat().filter(kit.isGiven);
    return [key, isPlain ? values.map((item) => hashedAs(key, item)) : values.map(String)] as const;
  });
  return { ...kit.objectOf(person), ...kit.mapFields(event, DEVICE) };
}

const GENDERS: Readonly<Record<string, string>> = { male: 'm', female: 'f', 'non-binary': 'n' };

function hashedAs(key: string, value: unknown): string | undefined {
  if (key === 'ph') return kit.hashedPhone(value);
  if (key === 'external_id' || key === 'hashed_maids') return kit.hashed(value);
  if (key === 'ge') return kit.hashedWord(kit.lookedUp(GENDERS, String(value).toLowerCase()) ?? value);
  return kit.hashedCompact(value);
}

function customData(event: JsonObject): JsonObject {
  const list = kit.productList(event);
  const contents = kit.mapProducts(kit.productsOf(event), CONTENT);
  const quantities = list.length > 0 ? list : [kit.objectAt(event, 'properties')];
  const counted = quantities.reduce((sum, { quantity }) => sum + (kit.toNumber(quantity) ?? 0), 0);
  return {
    ...kit.mapFields(event, CUSTOM),
    num_items: kit.toInteger(kit.valueAt(event, 'properties.numOfItems')) ?? counted,
    content_ids: contents.map(({ id }) => id).filter(kit.isGiven),
    contents,
  };
}
