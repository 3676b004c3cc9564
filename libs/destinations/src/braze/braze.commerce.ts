import type { JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';
import { RESERVED_IN_PURCHASES } from './braze.fields.js';

const PRODUCT: kit.Mapping = {
  product_id: ['product_id', 'sku'],
  price: { from: 'price', as: kit.toNumber },
  quantity: { from: 'quantity', as: kit.toInteger },
  currency: 'currency',
};

/** The purchases of an order, one per product. */
export function purchasesOf(event: JsonObject, config: JsonObject, time: unknown, identity: JsonObject): JsonObject[] {
  const products = kit.productList(event);
  if (products.length === 0) kit.refuse('Order Completed needs properties.products');
  const currency = kit.valueAt(event, 'properties.currency');
  return products.map((product, index) => {
    const purchase = kit.mapFields({ currency, ...product }, PRODUCT);
    for (const key of Object.keys(PRODUCT)) {
      if (!(key in purchase)) kit.refuse(`Order Completed: product ${index} has no ${key}`);
    }
    const properties = kit.omit(product, RESERVED_IN_PURCHASES);
    const withProperties = kit.isOn(config, 'sendPurchaseEventWithExtraProperties') && !kit.isEmpty(properties);
    return { ...purchase, time, ...(withProperties && { properties }), ...identity };
  });
}

interface Recommended {
  name: string;
  fields: kit.Mapping;
  /** Whether the event's own properties or a list describe the products. */
  products?: 'own' | 'list';
  more?: JsonObject;
}

const ITEM: kit.Mapping = {
  product_id: ['product_id', 'sku'],
  product_name: ['name', 'product_name'],
  variant_id: ['variant', 'variant_id', 'sku', 'product_id'],
  image_url: 'image_url',
  product_url: ['url', 'product_url'],
  price: { from: 'price', as: kit.toNumber },
};
const CART_ITEM: kit.Mapping = { ...ITEM, quantity: { from: 'quantity', as: kit.toInteger } };
const CART: kit.Mapping = {
  cart_id: 'cart_id',
  currency: 'currency',
  total_value: { from: ['total', 'value'], as: kit.toNumber },
};
const ORDER: kit.Mapping = {
  order_id: 'order_id',
  cart_id: 'cart_id',
  total_value: { from: ['total', 'revenue', 'value'], as: kit.toNumber },
  currency: 'currency',
  total_discounts: { from: 'discount', as: kit.toNumber },
};

/** https://www.braze.com/docs/user_guide/data/activation/custom_data/recommended_events/ecommerce_events */
const RECOMMENDED: Readonly<Record<string, Recommended>> = {
  'product viewed': { name: 'ecommerce.product_viewed', fields: { ...ITEM, currency: 'currency' } },
  'product added': { name: 'ecommerce.cart_updated', fields: CART, products: 'own', more: { action: 'add' } },
  'product removed': { name: 'ecommerce.cart_updated', fields: CART, products: 'own', more: { action: 'remove' } },
  'cart viewed': { name: 'ecommerce.cart_updated', fields: CART, products: 'list', more: { action: 'replace' } },
  'checkout started': {
    name: 'ecommerce.checkout_started',
    fields: { ...ORDER, checkout_id: ['checkout_id', 'order_id'], order_id: '-', total_discounts: '-' },
    products: 'list',
  },
  'order completed': { name: 'ecommerce.order_placed', fields: ORDER, products: 'list' },
  'order refunded': { name: 'ecommerce.order_refunded', fields: ORDER, products: 'list' },
  'order cancelled': {
    name: 'ecommerce.order_cancelled',
    fields: { ...ORDER, cancel_reason: ['cancel_reason', 'reason'] },
    products: 'list',
  },
};

/** Name and properties of Braze's recommended event for an e-commerce event. Undefined if there is none. */
export function recommendedEvent(
  event: JsonObject,
  eventName: string,
): { name: string; properties: JsonObject } | undefined {
  const recommended = kit.lookedUp(RECOMMENDED, kit.commerceKey(eventName));
  if (!recommended) return undefined;
  const { name, fields, products, more = {} } = recommended;
  const given = kit.objectAt(event, 'properties');
  const items = products === 'own' ? [given] : products === 'list' ? kit.productList(event) : [];
  const read = [
    ...kit.keysRead(fields),
    'products',
    'source',
    'time',
    'event_name',
    ...(products === 'own' ? kit.keysRead(CART_ITEM) : []),
  ];
  const metadata = kit.omit(given, read);
  return {
    name,
    properties: {
      ...kit.mapFields(given, fields),
      ...more,
      ...kit.compact({ source: given['source'] ?? event['channel'] }),
      ...(items.length > 0 && { products: items.map((item) => itemOf(item, products === 'list')) }),
      ...(!kit.isEmpty(metadata) && { metadata }),
    },
  };
}

function itemOf(product: JsonObject, withMetadata: boolean): JsonObject {
  const metadata = kit.omit(product, kit.keysRead(CART_ITEM));
  return { ...kit.mapFields(product, CART_ITEM), ...(withMetadata && !kit.isEmpty(metadata) && { metadata }) };
}
