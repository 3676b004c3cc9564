import type { Mapping } from '../toolkit/index.js';

const FIRST = ['firstName', 'firstname', 'first_name'];
const LAST = ['lastName', 'lastname', 'last_name'];

/** Profile attributes from the traits, https://developers.klaviyo.com/en/reference/create_or_update_profile */
export const PROFILE: Mapping = {
  email: 'email',
  phone_number: 'phone',
  first_name: FIRST,
  last_name: LAST,
  title: 'title',
  organization: 'organization',
  image: 'image',
  'location.address1': ['street', 'address.street'],
  'location.city': ['city', 'address.city'],
  'location.region': ['region', 'state', 'address.region', 'address.state'],
  'location.country': ['country', 'address.country'],
  'location.zip': ['zip', 'postalcode', 'address.zip', 'address.postalcode', 'address.postalCode'],
};
/** Traits that the table reads, or that control subscriptions. */
export const READ_TRAITS = [
  ...['email', 'phone', ...FIRST, ...LAST, 'title', 'organization', 'image', 'street', 'city', 'region', 'state'],
  ...['country', 'zip', 'postalcode', 'userId', 'anonymousId', 'properties', 'consent'],
];

/** Names of the same attributes in events of the oldest revision. */
export const PROFILE_V1: Mapping = {
  $email: 'email',
  $phone_number: 'phone',
  $first_name: FIRST,
  $last_name: LAST,
  $title: 'title',
  $organization: 'organization',
  $city: 'city',
  $region: ['region', 'state'],
  $country: 'country',
  $zip: ['zip', 'postalcode'],
  $image: 'image',
};

export const EVENT: Mapping = {
  unique_id: 'messageId',
  time: ['timestamp', 'originalTimestamp'],
  value: ['properties.revenue', 'properties.total', 'properties.value'],
  value_currency: 'properties.currency',
};
export const READ_PROPERTIES = ['revenue', 'total', 'value', 'currency'];

const ITEMS: Mapping = {
  ProductID: 'product_id',
  SKU: 'sku',
  ProductName: 'name',
  Quantity: 'quantity',
  ItemPrice: 'price',
  RowTotal: 'total',
  ProductURL: 'url',
  ImageURL: 'image_url',
  ProductCategories: 'categories',
};

/**
 * Events that Klaviyo's flows use, by the standard vocabulary,
 * https://developers.klaviyo.com/en/docs/guide_to_integrating_a_platform
 */
export const COMMERCE: Readonly<Record<string, { name: string; properties: Mapping; items?: Mapping }>> = {
  'product viewed': {
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
  },
  'product added': {
    name: 'Added to Cart',
    properties: {
      $value: 'value',
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
    items: ITEMS,
  },
  'checkout started': {
    name: 'Started Checkout',
    properties: {
      $event_id: 'order_id',
      $value: 'value',
      ItemNames: 'item_names',
      CheckoutURL: 'checkout_url',
      Categories: 'categories',
    },
    items: ITEMS,
  },
};
