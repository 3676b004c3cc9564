import type { JsonObject } from '@weir/contracts';
import { amount, categoryText, contentsOf, contentsOfCategory, contentType, plain } from '../../facebook/commerce.js';
import * as kit from '../../toolkit/index.js';

/** A standard event of Facebook, and where its products are. */
export interface StandardEvent {
  name: string;
  /** The list of products, the properties themselves, or these where there is no list. */
  products: 'list' | 'root' | 'either';
  /** Where the name of what was seen is. */
  contentName?: readonly string[];
  /** The kind of products, unless the event says so. */
  contentType?: string;
  /** Orders count their products, and say how all of them are delivered. */
  isOrder?: boolean;
}

const OF_LIST = kit.property('content_name', 'contentName');
const OF_PRODUCT = kit.property('name', 'product_name');
const product = { products: 'root', contentType: 'product' } as const;
const order = { products: 'list', contentType: 'product', isOrder: true } as const;

/** Keyed by the name of the e-commerce vocabulary. https://developers.facebook.com/docs/meta-pixel/reference */
export const COMMERCE: Readonly<Record<string, StandardEvent>> = {
  'product list viewed': { name: 'ViewContent', products: 'list', contentName: OF_LIST },
  'product viewed': { ...product, name: 'ViewContent', contentName: OF_PRODUCT },
  'product added': { ...product, name: 'AddToCart', contentName: OF_PRODUCT },
  'products searched': { ...product, name: 'Search' },
  'order completed': { ...order, name: 'Purchase', contentName: OF_LIST },
  'checkout started': { ...order, name: 'InitiateCheckout' },
  'payment info entered': { name: 'AddPaymentInfo', products: 'either', isOrder: true },
  'product added to wishlist': { name: 'AddToWishlist', products: 'either', isOrder: true, contentName: OF_PRODUCT },
};
const LIST_VIEWED = COMMERCE['product list viewed'];

/** Value and products of an event. Custom events have only the value. */
export function commerceData(
  event: JsonObject,
  config: JsonObject,
  standard: StandardEvent | undefined,
  options: JsonObject,
): JsonObject {
  const properties = kit.objectAt(event, 'properties');
  const money = { currency: kit.firstAt(properties, 'currency') ?? 'USD', value: worthOf(properties) };
  if (!standard) return kit.compact(money);
  const contents = productsOf(event, standard);
  const ids = contents.map(({ id }) => id);
  const category = kit.firstAt(properties, 'category');
  const isCategory = standard === LIST_VIEWED && ids.length === 0 && category !== undefined;
  const byDefault = standard === LIST_VIEWED ? typeOfList(ids, category) : standard.contentType;
  return {
    ...kit.compact({
      ...money,
      content_type: contentType(properties, config, options) ?? byDefault,
      content_name: kit.firstAt(event, standard.contentName ?? []),
      search_string: standard.name === 'Search' ? plain('query', kit.firstAt(properties, 'query')) : undefined,
      num_items: standard.isOrder ? ids.length : undefined,
    }),
    content_ids: isCategory ? [category] : idsOf(standard, ids),
    contents: isCategory ? contentsOfCategory(category) : contents,
    // replaces the property of this name, also by nothing
    content_category: categoryText(category),
  };
}

function worthOf(properties: JsonObject): number | undefined {
  const given = kit.firstAt(properties, ['revenue', 'value', 'price', 'total']);
  return given === undefined ? undefined : amount(given);
}

/** The products of an event. Only lists share what the event says of all. */
function productsOf(event: JsonObject, { products, isOrder }: StandardEvent): JsonObject[] {
  const properties = kit.objectAt(event, 'properties');
  const isList = products === 'list' || (products === 'either' && Array.isArray(properties['products']));
  const shared = [...(products === 'root' ? [] : ['quantity']), ...(isOrder ? ['delivery_category'] : [])];
  return contentsOf({ items: isList ? kit.productList(event) : [properties], shared: kit.only(properties, shared) });
}

/** An event about a single product names it without a list. */
const idsOf = ({ products }: StandardEvent, ids: unknown[]) => (products === 'root' && ids.length === 1 ? ids[0] : ids);

/** A list without products is known by its category. */
function typeOfList(ids: unknown[], category: unknown): string | undefined {
  if (ids.length > 0) return 'product';
  return category === undefined ? undefined : 'product_group';
}
