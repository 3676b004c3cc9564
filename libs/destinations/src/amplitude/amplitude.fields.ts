import { KNOWN_USER_ID, type Mapping, property, TIMESTAMP, toText, toUnixMillis, trait } from '../toolkit/index.js';

/** Keys of an event of the HTTP V2 API, https://amplitude.com/docs/apis/analytics/http-v2#keys-for-the-event-argument */
export const EVENT: Mapping = {
  user_id: { from: KNOWN_USER_ID, as: toText },
  insert_id: 'messageId',
  time: { from: TIMESTAMP, as: toUnixMillis, default: 0 },
  app_name: 'context.app.name',
  app_version: 'context.app.version',
  language: 'context.locale',
  carrier: 'context.network.carrier',
  os_name: 'context.os.name',
  os_version: 'context.os.version',
  platform: 'context.device.type',
  device_model: 'context.device.model',
  device_manufacturer: 'context.device.manufacturer',
  ip: ['context.ip', 'request_ip'],
  dma: 'context.location.dma',
  location_lat: 'context.location.latitude',
  location_lng: 'context.location.longitude',
  country: ['context.location.country', 'traits.country', ...trait('address.country')],
  region: ['context.location.region', 'traits.region', ...trait('address.region')],
  city: ['context.location.city', 'traits.city', ...trait('address.city')],
};

/** Traits that become keys of the event and not also user properties. */
export const PLACE_TRAITS = ['city', 'country', 'region'];

export const REVENUE: Mapping = {
  price: [...property('price', 'revenue')],
  quantity: property('quantity'),
  revenue: property('revenue'),
  productId: property('product_id', 'productId'),
  revenueType: { from: property('revenueType', 'revenue_type'), default: 'Purchased' },
};
export const REVENUE_KEYS = ['price', 'quantity', 'revenue', 'product_id', 'productId', 'revenueType', 'revenue_type'];

export const PRODUCT: Mapping = {
  productId: ['product_id', 'productId', 'sku'],
  price: 'price',
  quantity: { from: 'quantity', default: 1 },
  revenue: 'revenue',
  revenueType: { from: ['revenueType', 'revenue_type'], default: 'Purchased' },
};
