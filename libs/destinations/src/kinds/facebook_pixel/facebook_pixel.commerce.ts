import type { JsonObject } from '@weir/contracts';
import { amount, categoryText, contentsOf, contentsOfCategory, contentType, plain } from '../../facebook/commerce.js';
import * as kit from '../../toolkit/index.js';

/** An event about products: where they are, and what it says of them. */
export interface StandardEvent {
  name: string;
  products: 'list' | 'root';
  /** Where its value is. An identifier means the place that the configuration names. */
  value: 'revenue' | 'value' | 'identifier';
  contentType?: string;
  /** Where the name of what was seen is. A name of one product is sent even if it is empty. */
  contentName?: { from: readonly string[]; default?: string };
  /** Products are counted. */
  isCounted?: boolean;
  /** Products say how they are delivered, which Facebook asks of purchases only. */
  isDelivered?: boolean;
  isSearch?: boolean;
}

const OF_LIST = { from: kit.property('content_name', 'contentName') };
const OF_PRODUCT = { from: kit.property('product_name', 'name'), default: '' };
const product = { products: 'root', value: 'identifier', contentType: 'product', contentName: OF_PRODUCT } as const;
const order = { products: 'list', value: 'revenue', contentType: 'product', isCounted: true } as const;

/** Keyed by the name of the e-commerce vocabulary. https://developers.facebook.com/docs/meta-pixel/reference */
export const COMMERCE: Readonly<Record<string, StandardEvent>> = {
  'product list viewed': { name: 'ViewContent', products: 'list', value: 'value', contentName: OF_LIST },
  'product viewed': { ...product, name: 'ViewContent' },
  'product added': { ...product, name: 'AddToCart' },
  'products searched': { name: 'Search', products: 'root', value: 'value', isSearch: true },
  'order completed': { ...order, name: 'Purchase', contentName: OF_LIST, isDelivered: true },
  'checkout started': { ...order, name: 'InitiateCheckout' },
};
const LIST_VIEWED = COMMERCE['product list viewed'];

/** Further names of Facebook's, whose properties are sent as they are. */
export const OTHER_STANDARD = ['AddToWishlist', 'AddPaymentInfo'];

/** The value and the products of a standard event. */
export function commerceData(
  event: JsonObject,
  config: JsonObject,
  standard: StandardEvent,
  options: JsonObject,
): JsonObject {
  const properties = kit.objectAt(event, 'properties');
  const category = kit.firstAt(properties, 'category');
  const products = productsOf(event, standard);
  const isCategory = standard === LIST_VIEWED && products.length === 0 && category !== undefined;
  const contents = isCategory ? contentsOfCategory(category) : products;
  const typeOfList = products.length > 0 ? 'product' : 'product_group';
  const byDefault = standard === LIST_VIEWED ? typeOfList : standard.contentType;
  return kit.compact({
    content_ids: contents.map(({ id }) => id),
    contents,
    content_type: contentType(properties, config, options) ?? byDefault,
    content_name:
      standard.contentName && (kit.firstAt(event, standard.contentName.from) ?? standard.contentName.default),
    content_category: categoryText(category),
    search_string: standard.isSearch ? plain('query', kit.firstAt(properties, 'query')) : undefined,
    num_items: standard.isCounted ? contents.length : undefined,
    currency: kit.firstAt(properties, 'currency') ?? 'USD',
    value: worthOf(event, config, standard),
  });
}

/** The products of an event, which share what it says of all. */
function productsOf(event: JsonObject, { products, isDelivered }: StandardEvent): JsonObject[] {
  const properties = kit.objectAt(event, 'properties');
  const items = products === 'list' ? kit.productList(event) : [properties];
  const contents = contentsOf({ items, shared: kit.only(properties, ['quantity', 'price', 'delivery_category']) });
  return isDelivered ? contents : contents.map((content) => kit.omit(content, ['delivery_category']));
}

/** Both places that the configuration may name. */
export const VALUE_FIELDS = ['properties.price', 'properties.value'];

/** A standard event without a value is worth nothing. */
function worthOf(event: JsonObject, config: JsonObject, { value }: StandardEvent): number {
  const named = VALUE_FIELDS.filter((path) => path === kit.configText(config, 'valueFieldIdentifier'));
  const path = value === 'identifier' ? named : [`properties.${value}`];
  return amount(kit.firstAt(event, path) ?? 0, path[0]);
}

/** The revenue of any other event is its value. */
export function withRevenueAsValue(properties: JsonObject, given: unknown): JsonObject {
  if (!kit.isGiven(given)) return properties;
  return kit.merged(kit.omit(properties, ['revenue']), { value: amount(given) });
}
