import { isJsonObject, type JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import type { Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { appsflyerDeletion } from './appsflyer.deletion.js';

/** https://dev.appsflyer.com/hc/reference/s2s-mobile-api3-post. The older address belongs to the dev key. */
const ENDPOINTS = { v1: 'https://api2.appsflyer.com/inappevent', v2: 'https://api3.appsflyer.com/inappevent' };

const EVENT: kit.Mapping = {
  customer_user_id: { from: kit.KNOWN_USER_ID, as: kit.toText },
  eventTime: 'timestamp',
  ip: kit.IP,
  app_version_name: 'context.app.version',
  bundleIdentifier: 'context.app.namespace',
  att: 'context.device.attTrackingStatus',
};
const DEVICE: Readonly<Record<'apple' | 'android', kit.Mapping>> = {
  apple: { idfa: 'context.device.advertisingId', idfv: 'context.device.id' },
  android: { advertising_id: 'context.device.advertisingId' },
};

/** Properties by the name that AppsFlyer has for them. */
type Values = Readonly<Record<string, string>>;

const PRODUCT: Values = { af_content_id: 'product_id', af_quantity: 'quantity', af_price: 'price' };
const VIEWED: Values = { af_price: 'price', af_content_type: 'category', af_content_id: 'product_id' };
const ADDED: Values = { ...VIEWED, af_quantity: 'quantity' };
const ORDERED: Values = { ...ADDED, af_revenue: 'revenue', af_order_id: 'order_id' };
const OTHER: Values = { af_revenue: 'revenue', af_quantity: 'quantity', af_price: 'price' };

/** Standard events, by name in lower case. Only they have lists of their products. */
const STANDARD: Readonly<Record<string, Values>> = {
  'wishlist product added to cart': ADDED,
  'product added to wishlist': ADDED,
  'checkout started': ADDED,
  'order completed': ORDERED,
  'product removed': ORDERED,
  'products searched': { af_search_string: 'query' },
  'product viewed': VIEWED,
};

/** AppsFlyer reads the value as a text of JSON, https://dev.appsflyer.com/hc/reference/s2s-mobile-api3-post */
const IN_APP_EVENT = {
  type: 'object',
  required: ['appsflyer_id', 'eventName', 'eventValue'],
  properties: {
    appsflyer_id: kit.FILLED_TEXT,
    eventName: kit.FILLED_TEXT,
    eventValue: { type: 'string' },
    customer_user_id: kit.FILLED_TEXT,
  },
};

export default defineKind({
  name: 'AF',
  displayName: 'AppsFlyer',
  messageTypes: ['track', 'screen', 'page'],
  config: {
    authVersion: kit.asAddress(
      kit.words(['v1', 'v2'], '`v2`: with an S2S key, for new destinations; anything else: with the dev key'),
    ),
    s2sKey: kit.secret('For v2'),
    devKey: kit.secret('For v1'),
    androidAppId: kit.text('Package name of the Android app'),
    appleAppId: kit.text('Number of the iOS app'),
    sharingFilter: kit.anything('Partners that do not get the events: a list of names, or `all`'),
    useRichEventName: kit.flag('Name pages and screens in the event, such as Viewed Home Page'),
    addPropertiesAtRoot: kit.flag('Put properties beside the af_ ones, not under `properties`'),
    listOfProps: kit.listOf(['property'], 'Properties to put beside the af_ ones'),
    afCurrencyAtRoot: kit.flag('Repeat the currency as af_currency'),
    apiToken: kit.secret('API token (V2.0), for deletion'),
    statusCallbackUrls: kit.text(
      'Up to three addresses, by comma, that AppsFlyer tells about the progress of deletions',
    ),
  },
  example: { authVersion: 'v2', androidAppId: 'com.example.shop', appleAppId: '123456789' },
  transform(event, config) {
    const view = (what: 'Page' | 'Screen', ...names: string[]) => {
      const rich = `Viewed ${kit.textAt(event, names) ?? ''} ${what}`;
      const properties = event['properties'];
      return {
        eventName: kit.isOn(config, 'useRichEventName') ? rich : what.toLowerCase(),
        eventValue: isJsonObject(properties) ? JSON.stringify(properties) : '',
      };
    };
    const fields = kit.byType(event, {
      track: () => ({
        eventName: kit.eventName(event),
        eventValue: textOf(valueOfEvent(event, config)),
        ...kit.mapFields(event, { eventCurrency: kit.CURRENCY }),
      }),
      page: () => view('Page', 'name', 'properties.name'),
      screen: () => view('Screen', 'name', 'event', 'properties.name'),
    });
    return [request(event, config, fields)];
  },
  requests: { 'POST /inappevent/{app}': IN_APP_EVENT },
  deletion: appsflyerDeletion,
});

function request(event: JsonObject, config: JsonObject, more: JsonObject): Payload {
  const isV2 = config['authVersion'] === 'v2';
  const key = kit.requiredText(config, isV2 ? 's2sKey' : 'devKey');
  const family =
    kit.deviceFamily(event, ['context.os.name']) ?? kit.refuse('context.os.name must be Android or one of Apple');
  const app =
    family === 'android'
      ? kit.requiredText(config, 'androidAppId')
      : `id${kit.requiredText(config, 'appleAppId').replace(/^id/, '')}`;
  const appsflyerId = kit.externalId(event, 'appsflyerExternalId');
  if (!appsflyerId) kit.refuse('an external id of type appsflyerExternalId is required');
  const os = kit.valueAt(event, 'context.os.version');
  const body = {
    ...kit.mapFields(event, { ...EVENT, ...DEVICE[family] }),
    ...kit.compact({ os }),
    appsflyer_id: appsflyerId,
    ...kit.withoutEmpty({ sharing_filter: config['sharingFilter'] }),
    ...more,
  };
  return kit.jsonRequest(`${ENDPOINTS[isV2 ? 'v2' : 'v1']}/${encodeURIComponent(app)}`, body, {
    headers: { authentication: key },
  });
}

const textOf = (value: JsonObject): string => (kit.isEmpty(value) ? '' : JSON.stringify(value));

/** The properties, and over them what AppsFlyer has names for. */
function valueOfEvent(event: JsonObject, config: JsonObject): JsonObject {
  const properties = kit.objectAt(event, 'properties');
  if (kit.isOn(config, 'addPropertiesAtRoot')) return kit.merged(properties, namedValues(event, properties, config));
  const lifted = kit.configWords(config, 'listOfProps', 'property');
  const rest = kit.omit(properties, lifted);
  return kit.merged(
    kit.only(properties, lifted),
    isJsonObject(event['properties']) ? { properties: rest } : {},
    namedValues(event, rest, config),
  );
}

/** A single value for the event's own product, or a list of values for several products. */
function namedValues(event: JsonObject, properties: JsonObject, config: JsonObject): JsonObject {
  const standard = kit.lookedUp(STANDARD, kit.eventName(event).toLowerCase());
  const currency: Values = kit.isOn(config, 'afCurrencyAtRoot') ? { af_currency: 'currency' } : {};
  const named = Object.entries({ ...(standard ?? OTHER), ...currency });
  const values = named.map(([key, from]) => [key, kit.valueAt(properties, from)] as const);
  const products = standard ? kit.productList({ properties }) : [];
  const ofProducts = products.length > 0 ? Object.entries(PRODUCT) : [];
  // A product without a value keeps its place, so that the lists belong together.
  const lists = ofProducts.map(([key, from]) => [key, products.map((product) => product[from] ?? null)] as const);
  return kit.pick(kit.objectOf([...values, ...lists]), (value) => value !== undefined);
}
