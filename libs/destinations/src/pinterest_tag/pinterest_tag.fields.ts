import * as kit from '../toolkit/index.js';

/** https://developers.pinterest.com/docs/api/v5/events-create */
export const EVENT: kit.Mapping = {
  event_time: { from: kit.TIMESTAMP, as: kit.toUnixSeconds, required: true },
  event_source_url: ['context.page.url', 'properties.url'],
  partner_name: 'properties.partnerName',
  app_name: 'context.app.name',
  app_version: 'context.app.version',
  device_brand: 'context.device.manufacturer',
  device_model: 'context.device.model',
  device_type: 'context.device.type',
  device_carrier: 'context.network.carrier',
  os_version: 'context.os.version',
  wifi: 'context.network.wifi',
  language: 'context.locale',
};

/** Sent as lists of hashed texts. */
export const PERSON: kit.Mapping = {
  em: kit.EMAIL,
  ph: kit.PHONE,
  ge: kit.trait('gender'),
  db: kit.trait('birthday', 'dob'),
  ln: kit.LAST_NAME,
  fn: kit.FIRST_NAME,
  ct: kit.trait('address.city', 'city'),
  st: kit.trait('address.state', 'state'),
  zp: kit.trait('address.zip', 'zip'),
  country: kit.trait('address.country', 'country'),
  hashed_maids: 'context.device.advertisingId',
};

export const DEVICE: kit.Mapping = {
  client_ip_address: kit.IP,
  client_user_agent: 'context.userAgent',
  click_id: { from: 'properties.clickId', as: kit.toText },
  partner_id: { from: kit.trait('partnerId'), as: kit.toText },
};

export const CUSTOM: kit.Mapping = {
  currency: 'properties.currency',
  value: { from: kit.property('value', 'total', 'revenue'), as: kit.toText },
  order_id: { from: kit.property('order_id', 'orderId'), as: kit.toText },
  search_string: kit.property('query'),
  opt_out_type: kit.property('optOutType'),
  content_name: kit.property('contentName'),
  content_category: kit.property('contentCategory'),
  content_brand: kit.property('contentBrand'),
};

export const CONTENT: kit.Mapping = {
  id: { from: ['product_id', 'sku', 'id'], as: kit.toText },
  item_name: 'name',
  item_category: 'category',
  item_brand: 'brand',
  quantity: { from: 'quantity', as: kit.toNumber, default: 1 },
  item_price: { from: 'price', as: kit.toText },
};
