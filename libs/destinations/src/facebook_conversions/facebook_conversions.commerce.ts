import type { JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';

/** https://developers.facebook.com/docs/meta-pixel/reference */
const STANDARD_EVENTS: Readonly<Record<string, string>> = {
  'product list viewed': 'ViewContent',
  'product viewed': 'ViewContent',
  'product added': 'AddToCart',
  'product added to wishlist': 'AddToWishlist',
  'order completed': 'Purchase',
  'products searched': 'Search',
  'checkout started': 'InitiateCheckout',
  'payment info entered': 'AddPaymentInfo',
};
/** Events whose parameters name products. */
const WITH_PRODUCTS = new Set(Object.values(STANDARD_EVENTS));
const CURRENCY = 'USD';

const CONTENT: kit.Mapping = {
  id: ['product_id', 'sku', 'id'],
  quantity: { from: 'quantity', as: kit.toNumber, default: 1 },
  item_price: { from: 'price', as: kit.toNumber },
  delivery_category: 'delivery_category',
};

/** The configured standard event, otherwise that of the e-commerce vocabulary, otherwise the name itself. */
export function facebookEvent(event: JsonObject, config: JsonObject): string {
  const name = kit.eventName(event);
  const key = kit.commerceKey(name);
  const mapped = kit.configPairs(config, 'eventsToEvents').find(([from]) => kit.commerceKey(from) === key)?.[1];
  return mapped ?? (Object.hasOwn(STANDARD_EVENTS, key) ? STANDARD_EVENTS[key] : undefined) ?? name;
}

/** Value and products of an event. Custom events have only the value. */
export function commerceData(event: JsonObject, name: string): JsonObject {
  const properties = kit.objectAt(event, 'properties');
  const money = { currency: properties['currency'] ?? CURRENCY, value: kit.revenueOf(event) };
  if (!WITH_PRODUCTS.has(name)) return money.value === undefined ? {} : money;
  const contents = contentsOf(event, name);
  const list = kit.productList(event);
  return kit.compact({
    content_ids: contents.map(({ id }) => id),
    contents,
    ...typeOf(event, name, list.length > 0),
    content_category: kit.firstAt(properties, ['content_category', 'category']),
    content_name: kit.firstAt(properties, ['contentName', 'content_name', 'name', 'product_name']),
    search_string: name === 'Search' ? properties['query'] : undefined,
    ...money,
    value: money.value ?? (kit.totalOf(kit.productsOf(event)) || undefined),
    num_items: list.length > 0 && WITH_COUNT.has(name) ? list.length : undefined,
  });
}

const WITH_COUNT = new Set(['Purchase', 'InitiateCheckout']);
/** A payment belongs to a checkout and not to products, so it has no type. */
const typeOf = (event: JsonObject, name: string, hasList: boolean): JsonObject => {
  const given = kit.firstAt(event, ['properties.content_type']);
  if (given !== undefined) return { content_type: given };
  if (name === 'AddPaymentInfo') return {};
  return { content_type: isList(event) && !hasList ? 'product_group' : 'product' };
};

/** A viewed list without products is represented by its category. */
function contentsOf(event: JsonObject, name: string): JsonObject[] {
  const products = kit.productsOf(event);
  const delivery_category = kit.valueAt(event, 'properties.delivery_category');
  const category = kit.valueAt(event, 'properties.category');
  if (products.length === 0 && name === 'ViewContent' && isList(event) && kit.isGiven(category)) {
    return [{ id: category, quantity: 1 }];
  }
  return products
    .map((product) => kit.mapFields({ delivery_category, ...product }, CONTENT))
    .filter(({ id }) => kit.isGiven(id));
}

const isList = (event: JsonObject) => kit.commerceKey(String(event['event'])) === 'product list viewed';
