import * as kit from '../toolkit/index.js';

/** Events API 2.0, https://business-api.tiktok.com/portal/docs?id=1771101276978178 */
export const EVENT: kit.Mapping = {
  event_id: [...kit.property('eventId', 'event_id'), 'messageId'],
  event_time: { from: kit.TIMESTAMP, as: kit.toUnixSeconds, required: true },
  'page.url': ['context.page.url', 'properties.url'],
  'page.referrer': ['context.page.referrer', 'properties.referrer'],
};

export const PROPERTIES: kit.Mapping = {
  order_id: { from: kit.property('order_id', 'orderId'), as: kit.toText },
  shop_id: { from: kit.property('shop_id', 'shopId'), as: kit.toText },
  description: 'properties.description',
  status: 'properties.status',
  query: 'properties.query',
  search_string: 'properties.query',
  content_type: kit.property('contentType', 'content_type'),
  currency: 'properties.currency',
  value: { from: kit.property('value', 'revenue', 'total'), as: kit.toNumber },
};

const withoutSpaces = (value: unknown) => kit.toLowerCase(value)?.replace(/\s+/g, '');

export const USER: kit.Mapping = {
  email: kit.EMAIL,
  phone: kit.PHONE,
  first_name: kit.FIRST_NAME,
  last_name: kit.LAST_NAME,
  city: { from: kit.trait('address.city', 'city'), as: withoutSpaces },
  state: { from: kit.trait('address.state', 'state'), as: withoutSpaces },
  country: { from: kit.trait('address.country', 'country'), as: withoutSpaces },
  zip_code: { from: kit.trait('address.zip', 'zip', 'address.postalCode', 'postalCode'), as: kit.toText },
  ttclid: 'properties.ttclid',
  ttp: 'properties.ttp',
  ip: kit.IP,
  user_agent: 'context.userAgent',
  locale: 'context.locale',
};

export const CONTENT: kit.Mapping = {
  content_id: { from: ['product_id', 'productId', 'sku', 'id'], as: kit.toText },
  content_name: 'name',
  content_category: 'category',
  brand: 'brand',
  price: { from: 'price', as: kit.toNumber },
  quantity: { from: 'quantity', as: kit.toNumber },
};
