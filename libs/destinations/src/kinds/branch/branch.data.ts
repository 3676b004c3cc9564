import type { JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';

const numbers = (...keys: string[]): kit.Mapping =>
  kit.objectOf(keys.map((key) => [`$${key}`, { from: key, as: kit.toNumber }] as const));
const scalars = (keys: Readonly<Record<string, string>>): kit.Mapping =>
  kit.objectOf(Object.entries(keys).map(([key, from]) => [key, { from, as: scalar }] as const));

/** https://help.branch.io/apidocs/logstandardevents, content_items. */
const ITEM: kit.Mapping = {
  ...scalars({ $og_title: 'title', $og_description: 'description', $og_image_url: 'image_url', $sku: 'sku' }),
  ...scalars({ $product_name: 'name', $product_brand: 'brand', $product_category: 'category' }),
  ...scalars({ $product_variant: 'variant', $canonical_identifier: 'canonical_identifier', $condition: 'condition' }),
  ...scalars({ $publicly_indexable: 'publicly_indexable', $locally_indexable: 'locally_indexable' }),
  ...scalars({ $creation_timestamp: 'creating_timestamp', $exp_date: 'exp_date' }),
  ...scalars({ $address_street: 'address_street', $address_city: 'address_city', $address_region: 'address_region' }),
  ...scalars({ $address_country: 'address_country', $address_postal_code: 'address_postal_code' }),
  ...numbers('price', 'quantity', 'rating_average', 'rating_count', 'rating_max', 'latitude', 'longitude'),
  $keywords: { from: 'keywords', as: words },
  $image_captions: { from: 'image_captions', as: words },
};
/** The same page, event_data. Only standard events have it. */
const ORDER: kit.Mapping = {
  transaction_id: { from: ['order_id', 'transaction_id'], as: [kit.onlyId, kit.toText] },
  revenue: { from: 'revenue', as: kit.toNumber },
  shipping: { from: 'shipping', as: kit.toNumber },
  tax: { from: 'tax', as: kit.toNumber },
  currency: { from: 'currency', as: kit.onlyText },
  coupon: { from: 'coupon', as: [kit.onlyId, kit.toText] },
  affiliation: { from: 'affiliation', as: [kit.onlyId, kit.toText] },
  search_query: { from: ['query', 'search_query'], as: [kit.onlyId, kit.toText] },
};

/**
 * The subject of an event. A standard event has its items, its order, and the rest as custom data. A custom event has all but its
 * products as custom data. Both have an item, be it empty, as existing senders make it.
 */
export function branchData(properties: JsonObject | undefined, kind: 'standard' | 'custom'): JsonObject {
  if (properties === undefined) return {};
  const isStandard = kind === 'standard';
  const known = isStandard ? [...kit.keysRead(ITEM), ...kit.keysRead(ORDER)] : [];
  const root = isStandard ? kit.mapFields(properties, ITEM) : {};
  const products = kit.productList({ properties }).map(itemOf);
  const hasRoot = products.length === 0 || Object.keys(root).length > 0;
  return {
    content_items: [...(hasRoot ? [root] : []), ...products],
    ...kit.withoutEmpty({
      event_data: isStandard ? kit.mapFields(properties, ORDER) : {},
      custom_data: flatOf(kit.restOf(properties, [...known, 'products'])),
    }),
  };
}

function itemOf(product: JsonObject): JsonObject {
  const custom = flatOf(kit.restOf(product, kit.keysRead(ITEM)));
  return { ...kit.mapFields(product, ITEM), ...kit.withoutEmpty({ $custom_fields: custom }) };
}

/** Custom data is flat. A list or an object becomes JSON in a text. */
const flatOf = (object: JsonObject): JsonObject =>
  kit.objectOf(
    Object.entries(object)
      .filter(([, value]) => kit.isGiven(value))
      .map(([key, value]) => [key, kit.isScalar(value) ? value : kit.toText(value)]),
  );

function scalar(value: unknown): unknown {
  return kit.isScalar(value) ? value : undefined;
}

/** A list of texts, of which a single one may stand for itself. */
function words(value: unknown): unknown {
  const texts = [value].flat().filter((one) => typeof one === 'string' && one !== '');
  return texts.length > 0 ? texts : undefined;
}
