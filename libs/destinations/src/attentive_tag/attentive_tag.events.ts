import type { JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';
import { happening } from './attentive_tag.user.js';

const PATHS: Readonly<Record<string, string>> = {
  'product list viewed': 'events/ecommerce/product-view',
  'product viewed': 'events/ecommerce/product-view',
  'product added': 'events/ecommerce/add-to-cart',
  'order completed': 'events/ecommerce/purchase',
};
const ITEM: kit.Mapping = {
  productId: { from: 'product_id', as: kit.toText, required: true },
  productVariantId: { from: ['variant', 'product_variant_id'], as: kit.toText, required: true },
  productImage: 'image_url',
  productUrl: 'url',
  name: 'name',
  quantity: { from: 'quantity', as: kit.toInteger },
};

/** Attentive's e-commerce event for a name. Undefined if there is none. */
export function commerceEvent(event: JsonObject, name: string): [path: string, body: JsonObject] | undefined {
  const path = kit.lookedUp(PATHS, kit.commerceKey(name));
  if (!path) return undefined;
  const listed = kit.productList(event);
  const products = listed.length > 0 ? listed : [kit.objectAt(event, 'properties')];
  const currency = kit.valueAt(event, 'properties.currency');
  const items = products.map((product) => ({
    ...kit.mapFields(product, ITEM),
    price: [priceOf({ currency, ...product })],
  }));
  return [path, { items, ...happening(event) }];
}

function priceOf({ price, currency }: JsonObject): JsonObject {
  const value = kit.toNumber(price) ?? kit.refuse('every product needs a price');
  return { value, currency: currency ?? 'USD' };
}
