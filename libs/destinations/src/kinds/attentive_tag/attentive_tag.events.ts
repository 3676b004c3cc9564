import { isJsonObject, type JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';
import { type Call, externalIdentifiers, user } from './attentive_tag.people.js';

/** Keyed by the standardized name. */
const PATHS: Readonly<Record<string, string>> = {
  product_list_viewed: 'events/ecommerce/product-view',
  product_viewed: 'events/ecommerce/product-view',
  product_added: 'events/ecommerce/add-to-cart',
  order_completed: 'events/ecommerce/purchase',
};
const ITEM: kit.Mapping = {
  productId: { from: 'product_id', as: kit.onlyId, required: true },
  productVariantId: { from: 'variant', as: kit.onlyId, required: true },
  productImage: 'image_url',
  productUrl: 'url',
  name: 'name',
  quantity: { from: 'quantity', as: kit.onlyId },
};
/** Attentive starts no journeys for older events. */
const AGE_MAX_MS = 12 * 3_600_000;
const BAD_CHARACTERS = /['"{}[\],]/;

/** `Order Completed` becomes `order_completed`. */
export const standardName = (name: string): string => name.trim().toLowerCase().replace(/\s+/g, '_');

/** An e-commerce event with its items, or a custom event with all properties. */
export function eventCall(event: JsonObject, name: string): Call {
  const age = kit.ageMs(kit.firstAt(event, kit.TIMESTAMP), Date.now());
  if (age !== undefined && age > AGE_MAX_MS) kit.refuse('the event must be from the last 12 hours');
  const who = { ...user(event), ...externalIdentifiers(event) };
  if (kit.isEmpty(who)) kit.refuse('the event needs a phone, an email or an external identifier');
  const happening = kit.compact({ occurredAt: kit.toIso(kit.firstAt(event, kit.TIMESTAMP)), user: who });
  const path = kit.lookedUp(PATHS, standardName(name));
  return path
    ? [path, { items: itemsOf(event), ...happening }]
    : ['events/custom', { type: name, ...customData(event), ...happening }];
}

function customData(event: JsonObject): JsonObject {
  const { properties } = event;
  if (kit.isEmpty(properties)) return isJsonObject(properties) ? { properties } : {};
  if (!isJsonObject(properties)) kit.refuse('properties must be an object');
  const bad = Object.keys(properties).find((key) => BAD_CHARACTERS.test(key));
  if (bad !== undefined) kit.refuse(`the property ${bad} has a character that Attentive does not take`);
  return { properties, ...kit.mapFields(properties, { externalEventId: 'eventId' }) };
}

/** The list of products, or the one that the properties describe. */
function itemsOf(event: JsonObject): JsonObject[] {
  const properties = kit.objectAt(event, 'properties');
  const { products, currency } = properties;
  const listed = products ? kit.productList(event) : [properties];
  if (listed.length === 0) kit.refuse('properties.products must be a list of products');
  return listed.map((product) => ({ ...kit.mapFields(product, ITEM), price: [priceOf({ currency, ...product })] }));
}

function priceOf({ price, currency }: JsonObject): JsonObject {
  const value = kit.toNumber(price) ?? kit.refuse('every product needs a price');
  return kit.compact({ value, currency });
}
