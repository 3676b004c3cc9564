import { type Mapping, objectOf, toInteger, toNumber } from '../toolkit/index.js';

/** https://developers.google.com/analytics/devguides/collection/protocol/ga4/reference/events */
export interface Recommended {
  name: string;
  params: Mapping;
  /** Whether it carries `items`, and is refused without them. */
  items?: 'required' | 'optional';
}

const VALUE: Mapping = { currency: 'currency', value: { from: ['total', 'value', 'revenue'], as: toNumber } };
const ORDER: Mapping = {
  ...VALUE,
  transaction_id: { from: ['order_id', 'transaction_id'], required: true },
  affiliation: 'affiliation',
  coupon: 'coupon',
  shipping: { from: 'shipping', as: toNumber },
  tax: { from: 'tax', as: toNumber },
};
const LIST: Mapping = { item_list_id: ['list_id', 'item_list_id'], item_list_name: ['category', 'item_list_name'] };
const PROMOTION: Mapping = objectOf(
  ['creative_name', 'creative_slot', 'location_id', 'promotion_id', 'promotion_name'].map((key) => [key, key]),
);
const SHARE: Mapping = {
  method: ['method', 'share_via'],
  content_type: 'content_type',
  item_id: ['item_id', 'product_id', 'cart_id'],
};
const CHECKOUT: Mapping = { ...VALUE, coupon: 'coupon' };

const withItems = (name: string, params: Mapping): Recommended => ({ name, params, items: 'required' });
const mayHaveItems = (name: string, params: Mapping): Recommended => ({ name, params, items: 'optional' });

/** E-commerce events of the standard vocabulary, by name in lower case. */
export const RECOMMENDED: Readonly<Record<string, Recommended>> = {
  'products searched': { name: 'search', params: { search_term: { from: ['query', 'search_term'], required: true } } },
  'product list viewed': withItems('view_item_list', LIST),
  'promotion viewed': mayHaveItems('view_promotion', PROMOTION),
  'promotion clicked': mayHaveItems('select_promotion', PROMOTION),
  'product clicked': withItems('select_item', LIST),
  'product viewed': withItems('view_item', VALUE),
  'product added': withItems('add_to_cart', VALUE),
  'product removed': withItems('remove_from_cart', VALUE),
  'cart viewed': withItems('view_cart', VALUE),
  'checkout started': withItems('begin_checkout', CHECKOUT),
  'payment info entered': withItems('add_payment_info', {
    ...CHECKOUT,
    payment_type: ['payment_method', 'payment_type'],
  }),
  'checkout step completed': withItems('add_shipping_info', {
    ...CHECKOUT,
    shipping_tier: ['shipping_method', 'shipping_tier'],
  }),
  'order completed': withItems('purchase', ORDER),
  'order refunded': mayHaveItems('refund', ORDER),
  'product added to wishlist': withItems('add_to_wishlist', VALUE),
  'product shared': { name: 'share', params: SHARE },
  'cart shared': { name: 'share', params: SHARE },
  'view search results': mayHaveItems('view_search_results', { search_term: 'search_term' }),
};

export const ITEM: Mapping = {
  item_id: ['product_id', 'item_id'],
  item_name: ['name', 'item_name'],
  item_brand: ['brand', 'item_brand'],
  item_category: ['category', 'item_category'],
  item_variant: ['variant', 'item_variant'],
  index: { from: ['position', 'index'], as: toInteger },
  price: { from: 'price', as: toNumber },
  quantity: { from: 'quantity', as: toNumber },
  discount: { from: 'discount', as: toNumber },
};

/** Further properties of an item when the event itself describes its only product. */
export const ITEM_EXTRAS = [
  ...['coupon', 'affiliation', 'currency', 'item_list_id', 'item_list_name', 'location_id'],
  ...['item_category2', 'item_category3', 'item_category4', 'item_category5'],
  ...['promotion_id', 'promotion_name', 'creative_name', 'creative_slot'],
];

/** https://developers.google.com/analytics/devguides/collection/protocol/ga4/reference#reserved_names */
export const RESERVED_EVENTS = new Set([
  ...['ad_activeview', 'ad_click', 'ad_exposure', 'ad_impression', 'ad_query', 'ad_reward', 'adunit_exposure'],
  ...[
    'app_background',
    'app_clear_data',
    'app_exception',
    'app_install',
    'app_remove',
    'app_store_refund',
    'app_update',
  ],
  ...['app_store_subscription_cancel', 'app_store_subscription_convert', 'app_store_subscription_renew', 'app_upgrade'],
  ...['dynamic_link_app_open', 'dynamic_link_app_update', 'dynamic_link_first_open', 'error', 'firebase_campaign'],
  ...['firebase_in_app_message_action', 'firebase_in_app_message_dismiss', 'firebase_in_app_message_impression'],
  ...['first_open', 'first_visit', 'in_app_purchase', 'notification_dismiss', 'notification_foreground'],
  ...['notification_open', 'notification_receive', 'notification_send', 'os_update', 'session_start'],
  ...['session_start_with_rollout', 'user_engagement'],
]);
export const RESERVED_PREFIX = /^(?:google_|ga_|firebase_|_)/;
export const RESERVED_USER_PROPERTIES = new Set([
  ...['first_open_time', 'first_visit_time', 'last_deep_link_referrer', 'user_id', 'first_open_after_install'],
]);
