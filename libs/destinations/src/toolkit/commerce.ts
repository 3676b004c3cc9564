import { isJsonObject, type JsonObject } from '@weir/contracts';
import { toNumber } from './convert.js';
import { refuse } from './event.js';
import { NAME_LENGTH_MAX } from './forms.js';
import { type Mapping, mapFields } from './mapping.js';
import { firstAt, valueAt } from './paths.js';

/** Products per event. Vendors accept some hundreds at most, and kinds do some work for each. */
const PRODUCTS_MAX = 1_000;

/** The list of products of an event, or an empty list. More than {@link PRODUCTS_MAX} are refused. */
export function productList(event: JsonObject): JsonObject[] {
  const products = valueAt(event, 'properties.products');
  if (Array.isArray(products) && products.length > PRODUCTS_MAX) {
    refuse(`properties.products has more than ${PRODUCTS_MAX} items`);
  }
  return Array.isArray(products) ? products.filter(isJsonObject) : [];
}

/** The product list, or the properties themselves if they describe a product. */
export function productsOf(event: JsonObject): JsonObject[] {
  const list = productList(event);
  if (list.length > 0) return list;
  const properties = valueAt(event, 'properties');
  const names = isJsonObject(properties) && firstAt(properties, ['product_id', 'productId', 'sku', 'id']) !== undefined;
  return names && isJsonObject(properties) ? [properties] : [];
}

export const mapProducts = (products: readonly JsonObject[], mapping: Mapping): JsonObject[] =>
  products.map((product) => mapFields(product, mapping)).filter((product) => Object.keys(product).length > 0);

/** The value of an event: its revenue, value or total. Accepts numbers and numeric texts. */
export const revenueOf = (event: JsonObject): number | undefined =>
  toNumber(firstAt(event, ['properties.revenue', 'properties.value', 'properties.total']));

/** The sum of price times quantity over all products (quantity defaults to one). */
export const totalOf = (products: readonly JsonObject[]): number =>
  products.reduce((sum, { price, quantity }) => sum + (toNumber(price) ?? 0) * (toNumber(quantity) ?? 1), 0);

/** In the standard e-commerce vocabulary, `Order Completed`, `order_completed` and `orderCompleted` are the same event. */
export const commerceKey = (name: string): string =>
  name
    .slice(0, NAME_LENGTH_MAX)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');
