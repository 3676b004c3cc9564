import * as kit from '../../toolkit/index.js';

/** Where the products of an event are: in the list, in the properties themselves, or in the first of the two that has them. */
type Products = 'list' | 'optional list' | 'properties' | 'list or properties';

/** https://developers.google.com/analytics/devguides/collection/protocol/ga4/reference/events */
export interface Recommended {
  name: string;
  params: Readonly<Record<string, kit.Rule>>;
  products?: Products;
  /** The value is price times quantity if the event gives no total. Holds the quantity of an event that gives none. */
  perProduct?: { quantity?: number };
}

const of = (...paths: string[]): kit.Rule => ({ from: paths });
const property = (...names: string[]): kit.Rule => of(...kit.property(...names));
const number = (...names: string[]): kit.Rule => ({ from: kit.property(...names), as: kit.toNumber });
const required = (rule: kit.Rule): kit.Rule => ({ ...rule, required: true });

/** Google counts a value only with a currency. */
const CURRENCY = { currency: { from: kit.CURRENCY, default: 'USD' } };
export const TOTALS = ['total', 'value', 'revenue'];
const WORTH = { ...CURRENCY, value: required(number(...TOTALS)) };
const WORTH_OF_PRODUCTS = { ...CURRENCY, value: number(...TOTALS) };
const PRICE = { ...CURRENCY, value: required(number('total', 'price', 'value', 'revenue')) };
const LIST = { item_list_id: property('list_id'), item_list_name: property('category') };
const PROMOTION = {
  creative_name: property('creative_name', 'creative'),
  creative_slot: property('creative_slot', 'position'),
  promotion_id: property('promotion_id'),
  promotion_name: property('promotion_name', 'name'),
};
const CHECKOUT = { ...WORTH, coupon: property('coupon') };
const ORDER = {
  ...CHECKOUT,
  transaction_id: required(property('order_id')),
  shipping: number('shipping'),
  tax: number('tax'),
};
const METHOD = { method: of('traits.method', 'properties.method') };
const campaign = (name: string) => of(`context.campaign.${name}`, `properties.campaign.${name}`);

const event = (name: string, params: Recommended['params'], products?: Products): Recommended => ({
  ...{ name, params },
  ...(products && { products }),
});

/** Events with a name and parameters of Google's, by their own name as {@link recommendedEvent} writes it. */
const RECOMMENDED: Readonly<Record<string, Recommended>> = {
  LOGIN: event('login', METHOD),
  SIGN_UP: event('sign_up', METHOD),
  GENERATE_LEAD: event('generate_lead', {
    ...CURRENCY,
    value: required(number('value', 'total', 'price', 'revenue')),
  }),
  CAMPAIGN_DETAILS: event('campaign_details', {
    campaign_id: campaign('id'),
    campaign: campaign('name'),
    source: campaign('source'),
    medium: campaign('medium'),
    term: campaign('term'),
    content: campaign('content'),
  }),
  PRODUCTS_SEARCHED: event('search', { search_term: required(property('query')) }),
  VIEW_SEARCH_RESULTS: event('view_search_results', { search_term: property('search_term') }, 'list'),
  PRODUCT_LIST_VIEWED: event('view_item_list', LIST, 'list'),
  PROMOTION_VIEWED: event('view_promotion', PROMOTION, 'list'),
  PROMOTION_CLICKED: event('select_promotion', PROMOTION, 'optional list'),
  PRODUCT_CLICKED: event('select_item', LIST, 'properties'),
  PRODUCT_VIEWED: event('view_item', PRICE, 'properties'),
  PRODUCT_ADDED: {
    ...event('add_to_cart', WORTH_OF_PRODUCTS, 'list or properties'),
    perProduct: { quantity: 1 },
  },
  PRODUCT_REMOVED: { ...event('remove_from_cart', WORTH_OF_PRODUCTS, 'list or properties'), perProduct: {} },
  PRODUCT_ADDED_TO_WISHLIST: event('add_to_wishlist', PRICE, 'list or properties'),
  CART_VIEWED: event('view_cart', WORTH, 'list'),
  CHECKOUT_STARTED: event('begin_checkout', CHECKOUT, 'list'),
  PAYMENT_INFO_ENTERED: event('add_payment_info', { ...CHECKOUT, payment_type: property('payment_method') }, 'list'),
  CHECKOUT_STEP_COMPLETED: event(
    'add_shipping_info',
    { ...CHECKOUT, shipping_tier: property('shipping_method') },
    'list',
  ),
  ORDER_COMPLETED: event('purchase', ORDER, 'list'),
  ORDER_REFUNDED: event('refund', ORDER, 'optional list'),
  PRODUCT_SHARED: event('share', {
    method: property('share_via'),
    content_type: property('content_type'),
    item_id: property('item_id', 'product_id', 'sku'),
  }),
  CART_SHARED: event('share', {
    method: property('share_via'),
    content_type: property('content_type'),
    item_id: property('item_id', 'cart_id'),
  }),
  PAGE: event('page', {
    page_referrer: of('context.page.referrer'),
    page_title: of('context.page.title'),
    page_location: of('context.page.url'),
  }),
  GROUP: event('group', { group_id: of('groupId', 'traits.groupId') }),
};

/** `Product Added`, `product_added` and `PRODUCT ADDED` are one event, `ProductAdded` is another. */
export const recommendedEvent = (name: string): Recommended | undefined =>
  kit.lookedUp(RECOMMENDED, name.toUpperCase());

/** Keys of an item, from the properties of a product. */
export const ITEM: kit.Mapping = {
  item_id: 'product_id',
  item_name: 'name',
  coupon: 'coupon',
  item_category: 'category',
  item_brand: 'brand',
  item_variant: 'variant',
  price: { from: 'price', as: kit.toNumber },
  quantity: { from: 'quantity', as: kit.toNumber },
  index: { from: 'position', as: kit.toNumber },
};
/** Further keys of an item that the properties of an event describe. */
export const ITEM_EXTRAS = [
  ...['affiliation', 'currency', 'discount', 'item_list_id', 'item_list_name', 'location_id'],
  ...['item_category2', 'item_category3', 'item_category4', 'item_category5'],
];
/** Keys of a product that are not custom, in all their spellings. */
export const PRODUCT_KEYS: ReadonlySet<string> = new Set([
  ...['item_id', 'itemId', 'product_id', 'item_name', 'itemName', 'name', 'coupon', 'price', 'quantity', 'index'],
  ...['item_category', 'itemCategory', 'category', 'item_brand', 'itemBrand', 'brand', 'position'],
  ...['item_variant', 'itemVariant', 'variant'],
]);
