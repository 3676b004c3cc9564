import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import {
  CONTENT,
  EVENT_ID,
  externalIds,
  givenContents,
  hashedIfPlain,
  productContents,
  withoutSpaceAround,
} from './tiktok_ads.events.js';

/** Events API 2.0, https://business-api.tiktok.com/portal/docs?id=1771101276978178 */
const TRACK = 'https://business-api.tiktok.com/open_api/v1.3/event/track/';
const SOURCES = ['web', 'app', 'offline', 'crm'];
/** Catalog events. They state whether they mean products or product groups. */
const OF_CATALOGS = new Set(['AddToCart', 'CompletePayment', 'PlaceAnOrder', 'ViewContent']);
const ATT_STATUS = ['AUTHORIZED', 'DENIED', 'NOT_DETERMINED', 'RESTRICTED', 'NOT_APPLICABLE'];

/** A property in camel case or with `_`. */
const either = (camel: string) =>
  kit.property(
    camel,
    camel.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );

const EVENT: kit.Mapping = {
  event_id: EVENT_ID,
  event_time: { from: kit.TIMESTAMP, as: kit.toUnixSeconds, required: true },
  limited_data_use: 'properties.limited_data_use',
  'properties.search_string': 'properties.query',
  'properties.query': 'properties.query',
  'properties.shop_id': { from: kit.property('shop_id', 'shopId'), as: kit.toText },
  'properties.order_id': { from: kit.ORDER_ID, as: kit.toText },
  'properties.currency': kit.CURRENCY,
  'properties.value': 'properties.value',
  'properties.description': 'properties.description',
  'page.url': ['properties.context.page.url', 'properties.url', 'context.page.url'],
  'page.referrer': ['properties.context.page.referrer', 'properties.referrer', 'context.page.referrer'],
  'app.app_id': [...either('appId'), 'context.app.namespace'],
  'app.app_name': [...either('appName'), 'context.app.name'],
  'app.app_version': [...either('appVersion'), 'context.app.version'],
  'ad.callback': 'properties.callBack',
  'ad.attributed': 'properties.attributed',
  'ad.campaign_id': either('campaignId'),
  'ad.ad_id': either('adId'),
  'ad.creative_id': either('creativeId'),
  'ad.is_retargeting': either('isRetargeting'),
  'ad.attribution_type': either('attributionType'),
  'ad.attribution_provider': either('attributionProvider'),
  'lead.lead_id': either('leadId'),
  'lead.lead_event_source': either('leadEventSource'),
};

const upperCaseOf = (words: readonly string[]) => (value: unknown) =>
  words.find((word) => word === kit.toUpperCase(value));
const hashedName: kit.Conversion = (value) => kit.hashedPlain(value, kit.normalizedWord);
const hashedZip: kit.Conversion = (value) => kit.hashedPlain(value, (text) => text.replace(/[\s-]+/g, ''));
const PHONE = ['properties.context.user.phone', ...kit.PHONE];
const AD_ID = 'context.device.advertisingId';

const userOf = (config: JsonObject): kit.Mapping => ({
  locale: ['properties.context.user.locale', 'context.locale'],
  ttclid: 'properties.ttclid',
  ttp: ['properties.context.user.ttp', 'properties.ttp'],
  email: {
    from: ['properties.context.user.email', 'context.user.email', ...kit.EMAIL],
    as: [trimmedLower, hashedIfPlain(config, kit.normalizedWord)],
  },
  phone: { from: PHONE, as: hashedPhone(config) },
  ip: ['properties.context.user.ip', ...kit.IP],
  user_agent: ['properties.context.user.userAgent', 'context.userAgent'],
  first_name: { from: kit.FIRST_NAME, as: hashedName },
  last_name: { from: kit.LAST_NAME, as: hashedName },
  zip_code: { from: kit.ZIP, as: hashedZip },
  city: ['context.traits.city', 'context.traits.address.city', 'properties.city'],
  country: ['context.traits.country', 'context.traits.address.country', 'properties.country'],
  state: ['context.traits.address.state', 'context.traits.state', 'properties.state'],
  idfa: { from: AD_ID, as: [kit.trimmed, hashedIfPlain(config, withoutSpaceAround)] },
  gaid: { from: AD_ID, as: [trimmedLower, hashedIfPlain(config, kit.normalizedWord)] },
  idfv: 'context.device.id',
  att_status: { from: 'properties.att_status', as: upperCaseOf(ATT_STATUS) },
});
/** Identifiers of the other system, by that of the event. */
const FOREIGN = { apple: ['gaid'], android: ['idfa', 'idfv'] };

const trimmedLower: kit.Conversion = (value) => (typeof value === 'string' ? kit.normalizedWord(value) : value);
/** A number has lost its `+` and zeros, so that a hash of it would match nobody. */
const hashedPhone =
  (config: JsonObject): kit.Conversion =>
  (value) =>
    typeof value === 'number' ? value : hashedIfPlain(config, withoutSpaceAround)(value);

/** One request with an item for each of the events. */
export function requestV2(
  event: JsonObject,
  config: JsonObject,
  names: readonly string[],
  headers: Record<string, string>,
): Payload {
  const isSource = (value: unknown) => SOURCES.find((source) => source === value);
  const [eventSource, event_source] = either('eventSource').map((path) => isSource(kit.valueAt(event, path)));
  const body = {
    event_source: eventSource ?? event_source ?? 'web',
    event_source_id: kit.requiredText(config, 'pixelCode'),
    ...kit.compact({ test_event_code: kit.textAt(event, 'properties.testEventCode') }),
    partner_name: kit.SENDER.name,
    data: names.map((name) => ({ event: name, ...itemOf(event, config, name) })),
  };
  return kit.jsonRequest(TRACK, body, { headers });
}

function itemOf(event: JsonObject, config: JsonObject, name: string): JsonObject {
  const { properties, ...item } = kit.mapFields(event, EVENT);
  const family = kit.deviceFamily(event, ['context.os.name']);
  const person = kit.omit(kit.mapFields(event, userOf(config)), family ? FOREIGN[family] : []);
  const external = externalIds(event);
  const hashedIds = kit.isGiven(external) ? hashedIfPlain(config, withoutSpaceAround)(external) : undefined;
  return {
    ...item,
    ...kit.withoutEmpty({
      properties: { ...kit.objectAt({ properties }, 'properties'), ...contentsOf(event, name) },
      user: { ...person, ...kit.compact({ external_id: hashedIds }) },
    }),
  };
}

function contentsOf(event: JsonObject, name: string): JsonObject {
  const toContent = (product: JsonObject) => kit.mapFields(product, CONTENT);
  const contents = givenContents(kit.objectAt(event, 'properties')) ?? productContents(event, toContent);
  const ids = (contents ?? []).map(({ content_id: id }) => id).filter(Boolean);
  const byDefault = OF_CATALOGS.has(name) ? 'product' : undefined;
  return kit.compact({
    content_type: kit.firstAt(event, either('contentType')) ?? byDefault,
    contents,
    ...(ids.length > 0 && { contents_ids: ids, num_items: ids.length }),
  });
}
