import type { JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';
import { nameOf } from './klaviyo.events.js';
import { customTraits, flattened, PATHS, READ_TRAITS } from './klaviyo.profile.js';

/** Events and people of the oldest revision, 2023-02-22. */

const CUSTOMER: kit.Mapping = {
  $email: PATHS.email,
  $phone_number: PATHS.phone,
  $first_name: PATHS.firstName,
  $last_name: PATHS.lastName,
  $city: PATHS.city,
  $region: PATHS.region,
  $country: PATHS.country,
  $zip: PATHS.zip,
  $image: PATHS.image,
  $address1: PATHS.street,
  $consent: ['context.traits.consent', 'traits.consent', 'properties.consent'],
};
const READ = ['email', 'phone', 'revenue', 'total', 'value'];

export function oldEventOf(event: JsonObject, config: JsonObject): JsonObject {
  const name = nameOf(event, ['event', 'properties.event', 'properties.name']);
  const given = kit.objectAt(event, 'properties');
  const time = kit.compact({ time: event['timestamp'] });
  const isTrack = kit.toLowerCase(event['type']) === 'track';
  const commerce = isTrack && event['properties'] ? kit.lookedUp(COMMERCE, name.trim().toLowerCase()) : undefined;
  if (commerce) {
    const items = kit.mapProducts(itemsOf(event), ITEM);
    const properties = { ...kit.mapFields(given, commerce.properties), ...(items.length > 0 && { items }) };
    return { metric: { name: commerce.name }, properties, profile: customerOf(event, config), ...time };
  }
  const properties = kit.omit(given, READ);
  return {
    metric: { name },
    properties: flattened(properties, config),
    ...kit.compact({ value: kit.REVENUE.map((path) => kit.valueAt(event, path)).find(Boolean) }),
    profile: customerOf({ ...event, properties }, config),
    ...time,
  };
}

function customerOf(event: JsonObject, config: JsonObject): JsonObject {
  checkAddress(event, config);
  const id = kit.isOn(config, 'enforceEmailAsPrimary') ? '_id' : '$id';
  const known = kit.merged(kit.mapFields(event, CUSTOMER), kit.compact({ [id]: kit.firstAt(event, kit.USER_ID) }));
  return kit.merged(known, flattened(customTraits(event, [...READ_TRAITS, 'id']), config));
}

/** A person who is known by e-mail and phone needs one of them. */
export function checkAddress(event: JsonObject, config: JsonObject): void {
  const hasAddress = kit.isGiven(kit.firstAt(event, [...kit.EMAIL, ...kit.PHONE]));
  if (kit.isOn(config, 'enforceEmailAsPrimary') && !hasAddress) {
    kit.refuse('enforceEmailAsPrimary asks for an email or a phone');
  }
}

function itemsOf(event: JsonObject): JsonObject[] {
  const path = ['properties.items', kit.PRODUCTS].find((list) => Array.isArray(kit.valueAt(event, list)));
  return kit.productList(event, path);
}

const amount: kit.Conversion = (value) => kit.leadingNumber(value) ?? kit.refuse('the value must be a number');

const ITEM: kit.Mapping = {
  ProductID: 'product_id',
  SKU: 'sku',
  ProductName: 'name',
  Quantity: 'quantity',
  ItemPrice: 'price',
  RowTotal: 'row_total',
  ProductURL: 'url',
  ImageURL: 'image_url',
  ProductCategories: 'categories',
};
const VIEWED = {
  name: 'Viewed Product',
  properties: {
    ProductName: 'name',
    ProductID: 'product_id',
    SKU: 'sku',
    ImageURL: 'image_url',
    URL: 'url',
    Brand: 'brand',
    Price: 'price',
    CompareAtPrice: 'compare_at_price',
    Categories: 'categories',
  },
};

/**
 * Events that Klaviyo's flows use, by the standard vocabulary,
 * https://developers.klaviyo.com/en/docs/guide_to_integrating_a_platform
 */
const COMMERCE: Readonly<Record<string, { name: string; properties: kit.Mapping }>> = {
  'product viewed': VIEWED,
  'product clicked': VIEWED,
  'product added': {
    name: 'Added to Cart',
    properties: {
      $value: { from: 'value', as: amount },
      AddedItemProductName: 'name',
      AddedItemProductID: 'product_id',
      AddedItemSKU: 'sku',
      AddedItemImageURL: 'image_url',
      AddedItemURL: 'url',
      AddedItemPrice: 'price',
      AddedItemQuantity: 'quantity',
      AddedItemCategories: 'categories',
      ItemNames: 'item_names',
      CheckoutURL: 'checkout_url',
    },
  },
  'checkout started': {
    name: 'Started Checkout',
    properties: {
      $event_id: 'order_id',
      $value: { from: 'value', as: amount },
      Categories: 'categories',
      CheckoutURL: 'checkout_url',
      ItemNames: 'item_names',
    },
  },
};
