import { isJsonObject, type JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';
import { TIME } from './ometria.events.js';
import { customFields, PERSON, scalar } from './ometria.fields.js';

/** Events that are orders, and the status of each, by {@link kit.commerceKey}. */
const STATUSES: Readonly<Record<string, string>> = {
  ...{ 'order completed': 'complete', 'order complete': 'complete', complete: 'complete' },
  ...{ 'order shipped': 'shipped', shipped: 'shipped', 'order pending': 'pending', pending: 'pending' },
};

/** Undefined for events that are no orders. */
export const statusOf = (name: string): string | undefined => kit.lookedUp(STATUSES, kit.commerceKey(name));

/** Codes of ISO 4217. */
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
const currency: kit.Conversion = (code) =>
  typeof code === 'string' && CURRENCIES.has(code.slice(0, 4).toUpperCase()) ? code : undefined;

const of = (name: string, as: kit.Conversion): kit.Rule => ({ from: `properties.${name}`, as });
const amounts = (...names: string[]): kit.Mapping =>
  kit.objectOf(names.map((name) => [name, of(name, kit.toNumber)] as const));
const texts = (...names: string[]): kit.Mapping => kit.objectOf(names.map((name) => [name, of(name, scalar)] as const));

const ORDER: kit.Mapping = {
  id: { ...of('order_id', kit.onlyId), required: true },
  timestamp: TIME,
  grand_total: { ...of('grand_total', kit.toNumber), required: true },
  currency: { ...of('currency', currency), required: true },
  ...amounts('subtotal', 'discount', 'shipping', 'tax'),
  ...texts('web_id', 'channel', 'store', 'payment_method', 'shipping_method', 'coupon_code'),
  ip_address: { from: ['properties.ip_address', ...kit.IP], as: kit.onlyText },
  shipping_address: of('shipping_address', kit.onlyObject),
  billing_address: of('billing_address', kit.onlyObject),
};
const CUSTOMER: kit.Mapping = {
  ...PERSON,
  firstname: { from: kit.FIRST_NAME, as: kit.onlyText },
  lastname: { from: kit.LAST_NAME, as: kit.onlyText },
};
const KNOWN_PROPERTIES = [ORDER, CUSTOMER].flatMap((fields) => kit.keysRead(fields, 'properties')).concat('products');

export function orderOf(event: JsonObject, status: string): JsonObject {
  const lineitems = kit.productList(event).flatMap(lineItemOf);
  return {
    '@type': 'order',
    ...{ status, is_valid: true },
    ...kit.mapFields(event, ORDER),
    customer: kit.mapFields(event, CUSTOMER),
    ...customFields(kit.objectAt(event, 'properties'), KNOWN_PROPERTIES),
    ...(lineitems.length > 0 && { lineitems }),
  };
}

const ITEM: kit.Mapping = {
  product_id: { from: 'product_id', as: kit.onlyId },
  variant_id: { from: 'variant_id', as: kit.onlyId },
  sku: { from: 'sku', as: kit.onlyId },
  quantity: { from: 'quantity', as: kit.toNumber },
  unit_price: { from: 'unit_price', as: kit.toNumber },
  quantity_refunded: { from: 'quantity_refunded', as: kit.toNumber },
  refunded: { from: 'refunded', as: scalar },
  subtotal: { from: 'subtotal', as: kit.toNumber },
  tax: { from: 'tax', as: kit.toNumber },
  total: { from: 'total', as: kit.toNumber },
  discount: { from: 'discount', as: kit.toNumber },
  is_on_sale: { from: 'is_on_sale', as: scalar },
  totals: { from: 'totals', as: kit.onlyObject },
  properties: { from: 'properties', as: kit.onlyObject },
};
const VARIANT: kit.Mapping = {
  id: { from: 'id', as: kit.onlyId },
  type: { from: 'type', as: kit.onlyText },
  label: { from: 'label', as: scalar },
};

/** A line without its product, quantity or price is left out, and so is a variant without one of its keys. */
function lineItemOf(product: JsonObject): JsonObject[] {
  const item = kit.mapFields(product, ITEM);
  const isPriced = 'subtotal' in item || 'unit_price' in item;
  if (!('product_id' in item && 'quantity' in item && isPriced)) return [];
  const variants = (kit.onlyArray(product['variant_options']) ?? [])
    .filter(isJsonObject)
    .map((variant) => kit.mapFields(variant, VARIANT))
    .filter((variant) => Object.keys(VARIANT).every((key) => key in variant));
  return [{ ...item, ...(variants.length > 0 && { variant_options: variants }) }];
}
