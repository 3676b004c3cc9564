import type { JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';

interface Recommended {
  name: string;
  fields: kit.Mapping;
  /** A cart event describes its product with its own properties, unless it has a list. */
  products: 'none' | 'list' | 'listOrOwn';
  action?: 'add' | 'remove';
}

const text = (...from: string[]): kit.Rule => ({
  from,
  as: (value) => (typeof value === 'number' ? String(value) : value),
});
const amount = (...from: string[]): kit.Rule => ({ from, as: (value) => kit.toNumber(value) ?? value });
const count = (...from: string[]): kit.Rule => ({
  from,
  as: (value) => (typeof value === 'string' && /^-?\d+$/.test(value.trim()) ? Number(value) : value),
});

const ITEM: kit.Mapping = {
  product_id: text('product_id', 'sku'),
  product_name: text('name'),
  variant_id: text('variant', 'sku', 'product_id'),
  price: amount('price'),
  image_url: text('image_url'),
  product_url: text('url'),
};
const LISTED_ITEM: kit.Mapping = { ...ITEM, quantity: count('quantity') };
const currency = text('currency');
const total_value = amount('total', 'revenue', 'value');
const [subtotal_value, tax, shipping] = [amount('subtotal_value'), amount('tax'), amount('shipping')];
const CART: kit.Mapping = { cart_id: text('cart_id'), total_value, subtotal_value, tax, shipping, currency };
const ORDER: kit.Mapping = {
  order_id: text('order_id'),
  total_value,
  currency,
  total_discounts: amount('discount', 'total_discounts'),
  discounts: 'discounts',
};

/** https://www.braze.com/docs/user_guide/data/activation/custom_data/recommended_events/ecommerce_events */
const RECOMMENDED: Readonly<Record<string, Recommended>> = {
  'product viewed': {
    name: 'ecommerce.product_viewed',
    fields: { ...ITEM, currency, type: 'type' },
    products: 'none',
  },
  'product added': { name: 'ecommerce.cart_updated', fields: CART, products: 'listOrOwn', action: 'add' },
  'product removed': { name: 'ecommerce.cart_updated', fields: CART, products: 'listOrOwn', action: 'remove' },
  'checkout started': {
    name: 'ecommerce.checkout_started',
    fields: { ...CART, checkout_id: text('checkout_id', 'order_id') },
    products: 'list',
  },
  'order completed': {
    name: 'ecommerce.order_placed',
    fields: { ...ORDER, cart_id: text('cart_id'), tax, shipping, subtotal_value },
    products: 'list',
  },
  'order refunded': { name: 'ecommerce.order_refunded', fields: ORDER, products: 'list' },
  'order cancelled': {
    name: 'ecommerce.order_cancelled',
    fields: { ...ORDER, cancel_reason: text('cancel_reason', 'reason'), tax, shipping, subtotal_value },
    products: 'list',
  },
};

/** Name and properties of Braze's recommended event for an e-commerce event. Undefined if there is none. */
export function recommendedEvent(
  event: JsonObject,
  name: string,
): { name: string; properties: JsonObject } | undefined {
  const recommended = kit.lookedUp(RECOMMENDED, name.trim().toLowerCase());
  return recommended && { name: recommended.name, properties: propertiesOf(event, recommended) };
}

function propertiesOf(event: JsonObject, { fields, products, action }: Recommended): JsonObject {
  const given = kit.objectAt(event, 'properties');
  const isOwn = products === 'listOrOwn' && !Array.isArray(given['products']);
  const list = isOwn ? [mapped(given, LISTED_ITEM)] : products === 'none' ? [] : kit.productList(event).map(itemOf);
  const read = [
    ...['products', 'source', 'time', 'event_name', ...(action ? ['action'] : [])],
    ...kit.keysRead(fields),
    ...(isOwn ? kit.keysRead(LISTED_ITEM) : []),
  ];
  return withoutBlank({
    ...mapped(given, fields),
    action,
    source: sourceOf(event),
    products: list.filter((item) => !kit.isEmpty(item)),
    metadata: withoutBlank(kit.omit(given, read)),
  });
}

function itemOf(product: JsonObject): JsonObject {
  const metadata = withoutBlank(kit.omit(product, kit.keysRead(LISTED_ITEM)));
  return withoutBlank({ ...mapped(product, LISTED_ITEM), metadata });
}

const mapped = (given: JsonObject, fields: kit.Mapping) => kit.mapFields(withoutBlank(given), fields);

/** Braze refuses properties without a value, so blank ones are left out. */
const withoutBlank = (object: JsonObject): JsonObject =>
  kit.pick(object, (value) => !kit.isEmpty(typeof value === 'string' ? value.trim() : value));

const SOURCES = ['web', 'ios', 'android'];

/** Where the event happened. Braze requires it, so it is `web` if nothing tells. */
function sourceOf(event: JsonObject): string {
  const given = kit.toLowerCase(kit.trimmed(kit.valueAt(event, 'properties.source')));
  if (given !== undefined && SOURCES.includes(given)) return given;
  if (kit.firstAt(event, ['context.channel', 'channel']) !== 'mobile') return 'web';
  const system = kit.textAt(event, 'context.os.name')?.toLowerCase() ?? '';
  return SOURCES.find((source) => system.includes(source)) ?? 'web';
}
