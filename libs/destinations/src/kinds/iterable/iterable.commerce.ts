import type { JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';
import { eventOf, userOf } from './iterable.user.js';

const PURCHASE: kit.Mapping = {
  id: { from: [...kit.ORDER_ID, 'properties.event_id'], as: kit.toText },
  total: { from: 'properties.total', as: kit.leadingNumber, required: true },
};

/** Iterable refuses an item without the required fields. */
const ITEM: kit.Mapping = {
  id: { from: 'product_id', required: true },
  sku: 'sku',
  name: { from: 'name', required: true },
  description: 'description',
  categories: { from: 'category', as: (category) => (typeof category === 'string' ? category.split(',') : category) },
  price: { from: 'price', as: kit.leadingNumber, required: true },
  quantity: { from: 'quantity', as: kit.leadingInteger, required: true },
  imageUrl: 'image_url',
  url: 'url',
  dataFields: 'properties',
};

/** The cart of a user, after a product was added or removed. */
export const cartOf = (event: JsonObject, config: JsonObject): JsonObject => ({
  user: userOf(event, config),
  items: kit.mapProducts(itemsOf(event), ITEM),
});

export const purchaseOf = (event: JsonObject, config: JsonObject): JsonObject => ({
  ...eventOf(event),
  ...kit.mapFields(event, PURCHASE),
  ...cartOf(event, config),
});

/** The list of products, or the properties themselves as the only product. */
function itemsOf(event: JsonObject): JsonObject[] {
  const isList = Array.isArray(kit.valueAt(event, kit.PRODUCTS));
  return isList ? kit.productList(event) : [kit.objectAt(event, 'properties')];
}
