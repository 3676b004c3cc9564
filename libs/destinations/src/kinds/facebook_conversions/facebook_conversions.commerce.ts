import { isJsonObject, type JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';

/** A standard event of Facebook, and where its products are. */
export interface StandardEvent {
  name: string;
  /** The list of products, the properties themselves, or these where there is no list. None for events without products. */
  products?: 'list' | 'root' | 'either';
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
const COMMERCE: Readonly<Record<string, StandardEvent>> = {
  'product list viewed': { name: 'ViewContent', products: 'list', contentName: OF_LIST },
  'product viewed': { ...product, name: 'ViewContent', contentName: OF_PRODUCT },
  'product added': { ...product, name: 'AddToCart', contentName: OF_PRODUCT },
  'products searched': { ...product, name: 'Search' },
  'order completed': { ...order, name: 'Purchase', contentName: OF_LIST },
  'checkout started': { ...order, name: 'InitiateCheckout' },
  'payment info entered': { name: 'AddPaymentInfo', products: 'either', isOrder: true },
  'product added to wishlist': { name: 'AddToWishlist', products: 'either', isOrder: true, contentName: OF_PRODUCT },
};
const SIMPLE = [
  ...['Lead', 'CompleteRegistration', 'Contact', 'CustomizeProduct', 'Donate', 'FindLocation', 'Schedule'],
  ...['StartTrial', 'SubmitApplication', 'Subscribe', 'PageView'],
];
const LIST_VIEWED = COMMERCE['product list viewed'];

/** The standard event of a configured or an e-commerce name. Any other event keeps its own name. */
export function facebookEvent(event: JsonObject, config: JsonObject): StandardEvent {
  const name = kit.eventName({ event: kit.onlyText(event['event']) });
  const mapped = lastMapped(config, 'eventsToEvents', (from) => from.toLowerCase() === name.toLowerCase());
  const wanted = mapped ?? name.toLowerCase();
  const standard = kit.lookedUp(COMMERCE, wanted.toLowerCase());
  if (standard) return standard;
  const isSimple = SIMPLE.includes(wanted);
  return Object.values(COMMERCE).find((one) => one.name === wanted) ?? { name: isSimple ? wanted : name };
}

/** The last `to` whose `from` is accepted. */
const lastMapped = (config: JsonObject, list: string, isFrom: (from: string) => boolean): string | undefined =>
  kit
    .configList(config, list)
    .map(({ from, to }) => [kit.toText(from) ?? '', kit.toText(to) ?? ''] as const)
    .findLast(([from, to]) => from !== '' && to !== '' && isFrom(from))?.[1];

/** Value and products of an event. Custom events have only the value. */
export function commerceData(
  event: JsonObject,
  config: JsonObject,
  standard: StandardEvent,
  type: unknown,
): JsonObject {
  const properties = kit.objectAt(event, 'properties');
  const money = { currency: kit.firstAt(properties, 'currency') ?? 'USD', value: amountOf(properties) };
  if (!standard.products) return kit.compact(money);
  const contents = contentsOf(event, standard);
  const ids = contents.map(({ id }) => id);
  const category = kit.firstAt(properties, 'category');
  const isCategory = standard === LIST_VIEWED && ids.length === 0 && category !== undefined;
  const byDefault = standard === LIST_VIEWED ? typeOfList(ids, category) : standard.contentType;
  return {
    ...kit.compact({
      ...money,
      content_type: kit.firstAt(properties, 'content_type') ?? type ?? typeOfCategory(properties, config) ?? byDefault,
      content_name: kit.firstAt(event, standard.contentName ?? []),
      search_string: standard.name === 'Search' ? plain('query', kit.firstAt(properties, 'query')) : undefined,
      num_items: standard.isOrder ? ids.length : undefined,
    }),
    content_ids: isCategory ? [category] : idsOf(standard, ids),
    contents: isCategory ? [{ id: category, quantity: 1 }] : contents,
    // replaces the property of this name, also by nothing
    content_category: categoryText(category),
  };
}

/** Accepts `$12.3` and rounds to cents. Facebook refuses a value that is not a number. */
function amountOf(properties: JsonObject): number | undefined {
  const given = kit.firstAt(properties, ['revenue', 'value', 'price', 'total']);
  if (given === undefined) return undefined;
  const value = kit.toNumber(typeof given === 'string' ? given.trim().replace(/^\$/, '') : given);
  return value === undefined ? kit.refuse('properties.revenue must be a number') : Math.round(value * 100) / 100;
}

const CONTENT: kit.Mapping = { id: kit.PRODUCT_ID, item_price: 'price' };

/** Products that have an id. */
function contentsOf(event: JsonObject, { products, isOrder }: StandardEvent): JsonObject[] {
  const properties = kit.objectAt(event, 'properties');
  const isList = products === 'list' || (products === 'either' && Array.isArray(properties['products']));
  const quantity = products === 'root' ? undefined : properties['quantity'];
  const delivery = isOrder ? properties['delivery_category'] : undefined;
  return (isList ? kit.productList(event) : [properties])
    .map((item) => ({
      ...kit.mapFields(item, CONTENT),
      quantity: kit.firstAt([item['quantity'], quantity, 1], ['0', '1', '2']),
      ...kit.withoutEmpty({ delivery_category: kit.firstAt([item['delivery_category'], delivery], ['0', '1']) }),
    }))
    .filter(({ id }: JsonObject) => kit.isGiven(id));
}

/** An event about a single product names it without a list. */
const idsOf = ({ products }: StandardEvent, ids: unknown[]) => (products === 'root' && ids.length === 1 ? ids[0] : ids);

/** A list without products is known by its category. */
function typeOfList(ids: unknown[], category: unknown): string | undefined {
  if (ids.length > 0) return 'product';
  return category === undefined ? undefined : 'product_group';
}

/** As configured for the category of the event or of its first product. */
function typeOfCategory(properties: JsonObject, config: JsonObject): string | undefined {
  const category = kit.firstAt(properties, ['category', 'products.0.category']);
  return lastMapped(config, 'categoryToContent', (from) => from === category);
}

function categoryText(category: unknown): string | undefined {
  const texts = Array.isArray(category) ? category : [category];
  return texts.map((one) => kit.toText(plain('category', one)) ?? '').join(',') || undefined;
}

const plain = (key: string, value: unknown) =>
  isJsonObject(value) || Array.isArray(value) ? kit.refuse(`properties.${key} must be a text`) : value;
