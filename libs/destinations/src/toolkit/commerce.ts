import { isJsonObject, type JsonObject } from '@weir/contracts';
import { NAME_LENGTH_MAX } from './convert.js';
import { refuse } from './event.js';
import { PRODUCTS } from './generic-fields.js';
import { type Mapping, mapFields } from './mapping.js';
import { valueAt } from './paths.js';

/** Products per event. Vendors accept some hundreds at most, and kinds do some work for each. */
const PRODUCTS_MAX = 1_000;

/** The list of products of an event, or an empty list. More than {@link PRODUCTS_MAX} are refused. */
export function productList(event: JsonObject, path = PRODUCTS): JsonObject[] {
  const products = valueAt(event, path);
  if (Array.isArray(products) && products.length > PRODUCTS_MAX) {
    refuse(`${path} has more than ${PRODUCTS_MAX} items`);
  }
  return Array.isArray(products) ? products.filter(isJsonObject) : [];
}

export const mapProducts = (products: readonly JsonObject[], mapping: Mapping): JsonObject[] =>
  products.map((product) => mapFields(product, mapping)).filter((product) => Object.keys(product).length > 0);

/** In the standard e-commerce vocabulary, `Order Completed`, `order_completed` and `orderCompleted` are the same event. */
export const commerceKey = (name: string): string =>
  name
    .slice(0, NAME_LENGTH_MAX)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');
