import type { JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';

const asTrue = (value: unknown) => (value ? true : undefined);

/** https://developers.pinterest.com/docs/api/v5/events-create */
export const EVENT: kit.Mapping = {
  event_time: { from: kit.TIMESTAMP, as: kit.toUnixSeconds, required: true },
  event_source_url: kit.PAGE_URL,
  app_name: ['properties.appName', 'context.app.name'],
  app_version: ['properties.appVersion', 'context.app.version'],
  device_brand: ['properties.manufacturer', 'context.device.manufacturer'],
  device_model: ['properties.deviceModel', 'context.device.model'],
  device_type: ['properties.deviceType', 'context.device.type'],
  os_version: 'context.os.version',
  language: ['properties.language', 'context.traits.language', 'context.locale'],
  wifi: { from: 'context.network.wifi', as: asTrue },
};

/** Partners of Pinterest name themselves and the carrier. */
export const PARTNER: kit.Mapping = {
  partner_name: { from: 'properties.partnerName', as: kit.toText },
  device_carrier: { from: 'context.network.carrier', as: kit.toText },
};

/** Sent as lists of texts. */
export const PERSON: kit.Mapping = {
  em: kit.LINKED_EMAIL,
  ph: kit.PHONE,
  ge: kit.GENDER,
  db: [
    ...['traits.birthday', 'context.traits.birthday', 'traits.dateOfBirth', 'context.traits.dateOfBirth'],
    ...['traits.dateofbirth', 'context.dateofbirth', 'traits.dob', 'context.traits.dob', 'traits.DOB'],
    'context.traits.DOB',
  ],
  ln: kit.LAST_NAME,
  fn: kit.FIRST_NAME,
  ct: kit.CITY,
  st: kit.STATE,
  zp: kit.trait('address.zip'),
  country: kit.COUNTRY,
  hashed_maids: 'context.device.advertisingId',
};
export const DEVICE: kit.Mapping = {
  client_ip_address: { from: kit.IP, as: kit.onlyText },
  client_user_agent: { from: 'context.userAgent', as: kit.onlyText },
  click_id: { from: 'properties.clickId', as: kit.toText },
  partner_id: { from: kit.trait('partnerId'), as: kit.toText },
};

/** The forms that Pinterest hashes. Dates and ids are hashed as they are. */
export const NORMALIZED: Readonly<Record<string, (text: string) => string>> = {
  ...kit.objectOf(['em', 'ct', 'st', 'country', 'ln', 'fn'].map((key) => [key, kit.normalizedWord])),
  ge: (text) => kit.lookedUp(GENDERS, kit.normalizedWord(text)) ?? kit.normalizedWord(text),
  ph: kit.normalizedPhone,
  zp: (text) => text.replace(/\D/g, ''),
};

const GENDERS: Readonly<Record<string, string>> = {
  ...{ male: 'm', female: 'f', 'non-binary': 'n', 'non binary': 'n' },
};

/** 0 and false are no names. */
const named = (path: string): kit.Rule => ({ from: path, as: (value) => (value ? kit.toText(value) : undefined) });
const CUSTOM: kit.Mapping = {
  currency: kit.CURRENCY,
  value: { from: kit.property('value', 'total', 'revenue'), as: kit.toText },
  order_id: named('properties.order_id'),
  search_string: 'properties.query',
  opt_out_type: 'properties.optOutType',
  content_name: named('properties.contentName'),
  content_category: named('properties.contentCategory'),
  content_brand: named('properties.contentBrand'),
  np: named('properties.np'),
  num_items: { from: 'properties.numOfItems', as: kit.toNumber },
};

/** `product` is one of the list or the properties themselves, which also complete each product. */
const CONTENT: kit.Mapping = {
  id: { from: ['product.product_id', 'product.sku'], as: kit.toText },
  item_name: { from: 'product.name', as: kit.toText },
  item_category: { from: 'product.category', as: kit.toText },
  item_brand: { from: 'product.brand', as: kit.toText },
  item_price: { from: ['product.price', 'properties.price'], as: kit.toText },
};
const QUANTITY: kit.Mapping = {
  quantity: { from: ['product.quantity', 'properties.quantity', 'one'], as: kit.toNumber },
};

/** The products that were bought or seen. An event without products describes one itself. */
export function customData(event: JsonObject): JsonObject {
  const properties = kit.objectAt(event, 'properties');
  const hasList = Array.isArray(properties['products']);
  // without a list, values of the event count only if they are not 0
  const own = hasList ? properties : kit.pick(properties, Boolean);
  const products = hasList ? kit.productList(event) : [own];
  const ids = products.flatMap((product) => kit.toText(kit.firstAt(product, kit.PRODUCT_ID)) ?? []);
  const contents = products.map((product) => {
    const about = { product, properties: own, one: 1 };
    const { quantity } = kit.mapFields(about, QUANTITY);
    const given = kit.compact({ quantity: hasList ? quantity : quantity || 1 });
    return { ...kit.mapFields(about, CONTENT), ...given };
  });
  return {
    num_items: itemsIn(products),
    ...((hasList || ids.length > 0) && { content_ids: ids }),
    contents,
    ...kit.mapFields(event, CUSTOM),
  };
}

/** The sum of all quantities. One that is not a number makes it unknown, which is 0. */
function itemsIn(products: readonly JsonObject[]): number {
  const quantities = products.map(({ quantity }) => quantity).filter(kit.isGiven);
  return quantities.reduce((sum: number, quantity) => sum + (kit.toNumber(quantity) ?? Number.NaN), 0) || 0;
}
