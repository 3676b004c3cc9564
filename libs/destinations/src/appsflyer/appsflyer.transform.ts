import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import * as kit from '../toolkit/index.js';

/** https://dev.appsflyer.com/hc/reference/s2s-mobile-api3-post. The older address belongs to the dev key. */
const ENDPOINTS = { v1: 'https://api2.appsflyer.com/inappevent', v2: 'https://api3.appsflyer.com/inappevent' };

const EVENT: kit.Mapping = {
  customer_user_id: { from: 'userId', as: kit.toText },
  eventTime: { from: 'timestamp', as: kit.toIso },
  ip: kit.IP,
  app_version_name: 'context.app.version',
  bundleIdentifier: 'context.app.namespace',
};
const DEVICE: Readonly<Record<'apple' | 'android', kit.Mapping>> = {
  apple: { idfa: 'context.device.advertisingId', idfv: 'context.device.id', att: 'context.device.attTrackingStatus' },
  android: { advertising_id: 'context.device.advertisingId' },
};

const PRODUCT: kit.Mapping = { af_price: 'price', af_quantity: 'quantity', af_content_id: ['product_id', 'sku'] };
const ORDER: kit.Mapping = { ...PRODUCT, af_revenue: ['revenue', 'total'], af_order_id: 'order_id' };

/** Standard events, with the properties that AppsFlyer has names for. */
const STANDARD: Readonly<Record<string, kit.Mapping>> = {
  'products searched': { af_search_string: 'query' },
  'product list viewed': { af_content_type: 'category', ...PRODUCT },
  'product viewed': PRODUCT,
  'product added': PRODUCT,
  'product removed': PRODUCT,
  'product added to wishlist': PRODUCT,
  'wishlist product added to cart': PRODUCT,
  'checkout started': ORDER,
  'order completed': ORDER,
};

export function appsflyerTransform(event: JsonObject, config: JsonObject): Payload[] {
  const send = (eventName: string, eventValue: JsonObject, more: JsonObject = {}) => [
    request(event, config, {
      eventName,
      eventValue: kit.isEmpty(eventValue) ? '' : JSON.stringify(eventValue),
      ...more,
    }),
  ];
  const view = (what: 'Page' | 'Screen') => {
    const name = kit.textAt(event, ['name', 'properties.name', 'event']);
    const rich = ['Viewed', name, what].filter(Boolean).join(' ');
    return send(kit.isOn(config, 'useRichEventName') ? rich : what.toLowerCase(), kit.objectAt(event, 'properties'));
  };
  return kit.byType(event, {
    track: () => {
      const eventCurrency = kit.textAt(event, 'properties.currency');
      return send(kit.eventName(event), valueOfEvent(event, config), kit.compact({ eventCurrency }));
    },
    page: () => view('Page'),
    screen: () => view('Screen'),
  });
}

function request(event: JsonObject, config: JsonObject, more: JsonObject): Payload {
  const isV2 = config['authVersion'] === 'v2';
  const key = kit.requiredText(config, isV2 ? 's2sKey' : 'devKey');
  const family =
    kit.deviceFamily(event, ['context.os.name']) ?? kit.refuse('context.os.name must be Android or one of Apple');
  const app =
    family === 'android'
      ? kit.requiredText(config, 'androidAppId')
      : `id${kit.requiredText(config, 'appleAppId').replace(/^id/, '')}`;
  const appsflyerId =
    kit.externalId(event, 'appsflyerExternalId') ??
    kit.textAt(kit.integrationOptions(event, 'AF', 'AppsFlyer'), 'af_uid');
  if (!appsflyerId) kit.refuse('an external id of type appsflyerExternalId is required');
  const os = kit.valueAt(event, 'context.os.version');
  const body = {
    ...kit.mapFields(event, { ...EVENT, ...DEVICE[family] }),
    ...(typeof os === 'string' && { os }),
    appsflyer_id: appsflyerId,
    ...kit.withoutEmpty({ sharing_filter: config['sharingFilter'] }),
    ...more,
  };
  return kit.jsonRequest(`${ENDPOINTS[isV2 ? 'v2' : 'v1']}/${encodeURIComponent(app)}`, body, {
    headers: { authentication: key },
  });
}

function valueOfEvent(event: JsonObject, config: JsonObject): JsonObject {
  const properties = kit.objectAt(event, 'properties');
  const lifted = kit.configWords(config, 'listOfProps', 'property');
  const picked = kit.only(properties, lifted);
  const rest = kit.omit(properties, lifted);
  const own = kit.isOn(config, 'addPropertiesAtRoot')
    ? properties
    : { ...picked, ...(!kit.isEmpty(rest) && { properties: rest }) };
  return { ...own, ...standardValues(event, config) };
}

/** A single value for the event's own product, or a list of values for several products. */
function standardValues(event: JsonObject, config: JsonObject): JsonObject {
  const mapping = kit.lookedUp(STANDARD, kit.commerceKey(kit.eventName(event)));
  if (!mapping) return {};
  const values = kit.mapFields(kit.objectAt(event, 'properties'), mapping);
  const products = kit.mapProducts(kit.productList(event), PRODUCT);
  for (const key of Object.keys(PRODUCT)) {
    const list = products.map((product) => product[key]).filter(kit.isGiven);
    if (list.length > 0) values[key] = list;
  }
  const currency = kit.valueAt(event, 'properties.currency');
  return { ...values, ...(kit.isOn(config, 'afCurrencyAtRoot') && kit.compact({ af_currency: currency })) };
}
