import type { JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';
import { type ConversionType, commerceOf, type SnapchatEvent } from './snapchat_conversion.events.js';

/** The result for an event: Snapchat's event, where it happened, and the app or the pixel of the configuration. */
export interface Conversion {
  of: SnapchatEvent;
  type: ConversionType;
  target: { snap_app_id: string; app_id: string } | { pixel_id: string };
}

const TIME: kit.Rule = { from: kit.TIMESTAMP, as: [kit.toUnixSeconds, kit.toText], required: true };
const PHONE: kit.Rule = { from: kit.PHONE, as: kit.hashedPhone };
const AD_ID = ['properties.adId', 'context.device.advertisingId'];
const DEVICE_ID = ['properties.idfv', 'context.device.id'];
/** Apple's answer "denied": the person's data may be used in a limited way only. */
const DATA_USE: kit.Rule = {
  from: 'context.device.attTrackingStatus',
  as: (status) => (status === 2 ? "['lmu']" : undefined),
};
const MIDDLE_NAME = kit.trait('middleName', 'middle_name');

const PROPERTIES = [
  ...['description', 'event_tag', 'click_id', 'level', 'uuid_c1', 'customer_status', 'data', 'att_status'],
  ...['advertiser_cookie_1', 'delivery_method', 'sign_up_method'],
];
const VERSION_2: kit.Mapping = {
  ...kit.objectOf(PROPERTIES.map((key) => [key, `properties.${key}`])),
  brands: { from: 'properties.brands', as: kit.onlyArray },
  device_model: 'context.device.model',
  country: kit.trait('country'),
  region: kit.trait('region'),
  user_agent: { from: 'context.userAgent', as: kit.toLowerCase },
  hashed_first_name_sha: { from: kit.FIRST_NAME, as: kit.hashedWord },
  hashed_middle_name_sha: { from: MIDDLE_NAME, as: kit.hashedWord },
  hashed_last_name_sha: { from: kit.LAST_NAME, as: kit.hashedWord },
  hashed_city_sha: { from: kit.CITY, as: kit.hashedWord },
  hashed_state_sha: { from: kit.trait('state'), as: kit.hashedWord },
  hashed_zip: { from: kit.ZIP, as: kit.hashedWord },
  hashed_email: { from: kit.LINKED_EMAIL, as: kit.hashedWord },
  hashed_phone_number: PHONE,
  hashed_ip_address: { from: kit.IP, as: kit.hashed },
  hashed_mobile_ad_id: { from: AD_ID, as: kit.hashed },
  timestamp: TIME,
  data_use: DATA_USE,
};

/** An event of version 2. */
export function version2Body(event: JsonObject, config: JsonObject, { of, type, target }: Conversion): JsonObject {
  const { ids, count, category, search, transaction, signUp, ...money } = commerceOf(event, of);
  const isApple = kit.deviceFamily(event, ['context.device.type']) === 'apple';
  return {
    ...kit.compact({ item_ids: ids, item_category: category, number_items: count, ...money }),
    ...kit.compact({ search_string: search, transaction_id: transaction, sign_up_method: signUp }),
    ...kit.mapFields(event, VERSION_2),
    ...(isApple && kit.mapFields(event, { hashed_idfv: { from: DEVICE_ID, as: kit.hashed } })),
    ...(type === 'WEB' && kit.mapFields(event, { page_url: kit.PAGE_URL })),
    ...kit.mapFields(event, { client_dedup_id: dedupPaths(config, ['properties.client_dedup_id']) }),
    ...{ event_type: of.type, event_conversion_type: type, ...target },
  };
}

/** Where the id is by which Snapchat tells repeated events. The configured path replaces the usual ones. */
const dedupPaths = (config: JsonObject, usual: readonly string[]): readonly string[] =>
  kit.isOn(config, 'enableDeduplication') ? [kit.configText(config, 'deduplicationKey') || 'messageId'] : usual;

/** Only a valid address is hashed. A text that is none cannot match anybody. */
const hashedAddress: kit.Conversion = (value) => {
  const address = kit.normalizedWord(String(value));
  return kit.isEmail(address) ? kit.sha256(address) : undefined;
};

const VERSION_3: kit.Mapping = {
  event_time: TIME,
  data_processing_options: DATA_USE,
  'user_data.em': { from: kit.EMAIL, as: hashedAddress },
  'user_data.ph': PHONE,
  'user_data.fn': { from: kit.FIRST_NAME, as: kit.hashedWord },
  'user_data.ln': { from: kit.LAST_NAME, as: kit.hashedWord },
  'user_data.ge': { from: kit.GENDER, as: kit.hashedWord },
  'user_data.ct': { from: kit.CITY, as: kit.hashedWord },
  'user_data.zp': { from: kit.ZIP, as: kit.hashedWord },
  'user_data.st': { from: kit.trait('state'), as: kit.hashedWord },
  'user_data.country': { from: kit.trait('country'), as: kit.hashedWord },
  'user_data.client_ip_address': kit.IP,
  'user_data.client_user_agent': 'context.userAgent',
  'user_data.idfv': DEVICE_ID,
  'user_data.madid': AD_ID,
  'user_data.sc_click_id': 'properties.click_id',
  'user_data.sc_cookie1': 'properties.uuid_c1',
  'custom_data.brand': { from: kit.property('brands', 'brand'), as: kit.onlyArray },
  'app_data.advertiser_tracking_enabled': 'properties.att_status',
};
/** The values of a product go on as they are, empty texts too. */
const contentOf = (product: JsonObject): JsonObject => {
  const { price, quantity, delivery_category, brand } = product;
  const id = kit.PRODUCT_ID.map((key) => product[key]).find(Boolean);
  return kit.compact({ id, item_price: price, quantity, delivery_category, brand });
};

/** An event of version 3. */
export function version3Event(event: JsonObject, config: JsonObject, { of, type, target }: Conversion): JsonObject {
  const { ids, price, category, currency, count, search } = commerceOf(event, of);
  const products = kit.productList(event);
  const contents = (products.length > 0 ? products : [kit.objectAt(event, 'properties')])
    .map(contentOf)
    .filter((content) => !kit.isEmpty(content));
  const dedup = dedupPaths(config, ['properties.client_dedup_id', ...of.transaction]);
  const mapped = kit.mapFields(event, {
    ...VERSION_3,
    event_id: dedup,
    ...(type === 'WEB' && { event_source_url: kit.PAGE_URL }),
  });
  const custom = kit.compact({
    ...{ content_ids: ids, content_category: category, currency, num_items: count, search_string: search },
    [of.isAd ? 'price' : 'value']: price,
    ...(contents.length > 0 && { contents }),
    ...kit.objectAt(mapped, 'custom_data'),
  });
  const app = { ...kit.objectAt(mapped, 'app_data'), ...('app_id' in target && appOf(event, target.app_id)) };
  return {
    ...mapped,
    ...{ event_name: of.type, action_source: type },
    ...(!kit.isEmpty(custom) && { custom_data: custom }),
    ...(!kit.isEmpty(app) && { app_data: app }),
  };
}

/** The sixteen values of `extinfo` in order. Unknown values are empty texts. */
function appOf(event: JsonObject, appId: string): JsonObject {
  const at = kit.toUnixMillis(kit.firstAt(event, kit.TIMESTAMP)) ?? Date.now();
  const zone = kit.textAt(event, 'context.timezone');
  const text = (path: string) => kit.textAt(event, path) ?? '';
  const extinfo = [
    kit.deviceFamily(event, ['context.device.type']) === 'apple' ? 'i2' : 'a2',
    ...['context.app.namespace', 'context.app.build', 'context.app.version', 'context.os.version'].map(text),
    ...['context.device.model', 'context.locale'].map(text),
    kit.zoneAbbreviation(zone, at) ?? '',
    ...['context.network.carrier', 'context.screen.width', 'context.screen.height', 'context.screen.density'].map(text),
    ...['properties.cpu_cores', 'properties.storage', 'properties.free_storage', 'context.timezone'].map(text),
  ];
  return { app_id: appId, extinfo };
}
