import type { JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';

/** One of Snapchat's events, and where the event of the standard vocabulary holds its data. */
export interface SnapchatEvent {
  type: string;
  /** Paths of the id of an order or a checkout. */
  transaction: readonly string[];
  /** A path of ids. Undefined for those of the products. */
  ids: string | undefined;
  category: readonly string[];
  search: readonly string[];
  signUp: readonly string[];
  /** Nothing is bought: version 3 sends the price as `price` and not as `value`. */
  isAd?: boolean;
}

const STANDARD = {
  transaction: kit.property('transaction_id', 'transactionId'),
  ids: 'properties.item_ids',
  category: kit.property('category'),
  search: kit.property('search_string'),
  signUp: kit.property('signUpMethod', 'sign_up_method'),
};
const PRODUCT = { ...STANDARD, ids: 'properties.product_id' };
const LIST = { ...STANDARD, ids: undefined };
const CHECKOUT = { ...LIST, transaction: kit.ORDER_ID, signUp: [] };

/** Keyed by the name of the standard vocabulary. */
const EVENTS: Readonly<Record<string, SnapchatEvent>> = {
  products_searched: { ...STANDARD, type: 'SEARCH', search: kit.property('search_string', 'query') },
  product_list_viewed: { ...LIST, type: 'VIEW_CONTENT' },
  promotion_viewed: { ...STANDARD, type: 'AD_VIEW', isAd: true },
  promotion_clicked: { ...STANDARD, type: 'AD_CLICK', isAd: true },
  product_viewed: { ...PRODUCT, type: 'VIEW_CONTENT' },
  product_added: { ...PRODUCT, type: 'ADD_CART' },
  product_added_to_wishlist: { ...PRODUCT, type: 'ADD_TO_WISHLIST' },
  checkout_started: { ...CHECKOUT, type: 'START_CHECKOUT' },
  payment_info_entered: {
    ...STANDARD,
    type: 'ADD_BILLING',
    transaction: kit.property('checkout_id', 'transactionId'),
  },
  order_completed: {
    ...CHECKOUT,
    type: 'PURCHASE',
    category: kit.property('item_category', 'category'),
    search: [],
  },
  ...kit.objectOf(
    [
      ...[
        'sign_up',
        'app_open',
        'save',
        'subscribe',
        'complete_tutorial',
        'level_complete',
        'invite',
        'login',
        'share',
      ],
      ...['reserve', 'achievement_unlocked', 'spent_credits', 'rate', 'start_trial', 'list_view', 'page_view'],
      ...['app_install', 'custom_event_1', 'custom_event_2', 'custom_event_3', 'custom_event_4', 'custom_event_5'],
    ].map((name) => [name, { ...STANDARD, type: name.toUpperCase() }]),
  ),
};

const sameWords = (name: string) => name.trim().replace(/\s+/g, '_').toLowerCase();

/** Snapchat's events for every configured name of the event, otherwise for its own name. */
export function snapchatEvents(name: string, config: JsonObject): SnapchatEvent[] {
  const words = sameWords(name);
  const configured = kit
    .configPairs(config, 'rudderEventsToSnapEvents')
    .filter(([from]) => sameWords(from) === words)
    .map(([, to]) => to);
  return configured.length > 0 ? [...new Set(configured)].map(standardEvent) : [standardEvent(name)];
}

const standardEvent = (name: string): SnapchatEvent =>
  kit.lookedUp(EVENTS, sameWords(name)) ??
  kit.refuse(`${name} is not an event of Snapchat: map it in rudderEventsToSnapEvents`);

/** Commerce data of an event, in terms that both API versions share. */
export function commerceOf(event: JsonObject, { ids, category, search, transaction, signUp }: SnapchatEvent) {
  const hasList = ids === undefined && Array.isArray(kit.valueAt(event, kit.PRODUCTS));
  const list = hasList ? kit.productList(event) : undefined;
  const price = kit.firstAt(event, kit.property('price', 'value', 'revenue'));
  return {
    ids: list ? list.map(({ product_id: id }) => id).filter(Boolean) : kit.firstAt(event, ids ?? []),
    price: list && (price === undefined || price === 0) ? kit.toText(sumOf(list)) : price,
    count: kit.firstAt(event, kit.property('number_items', 'quantity')),
    currency: kit.firstAt(event, kit.CURRENCY),
    category: kit.firstAt(event, category),
    search: kit.firstAt(event, search),
    transaction: kit.firstAt(event, transaction),
    signUp: kit.firstAt(event, signUp),
  };
}

/** The sum of price times whole quantity. A product whose price or quantity is not a number adds nothing. */
const sumOf = (products: readonly JsonObject[]): number =>
  products.reduce(
    (sum, { price, quantity }) =>
      sum + (kit.toNumber(price) ?? 0) * (kit.isGiven(quantity) ? (kit.toInteger(quantity) ?? 0) : 1),
    0,
  );

export type ConversionType = 'WEB' | 'MOBILE_APP' | 'OFFLINE';
const CONVERSION_TYPES: Readonly<Record<string, ConversionType>> = {
  web: 'WEB',
  mobile: 'MOBILE_APP',
  mobile_app: 'MOBILE_APP',
  offline: 'OFFLINE',
};

/** From a property of the event or its channel, whichever is known. */
export function conversionType(event: JsonObject): ConversionType {
  const known = ['properties.eventConversionType', 'channel']
    .map((path) => kit.lookedUp(CONVERSION_TYPES, String(kit.valueAt(event, path)).toLowerCase()))
    .find(Boolean);
  return known ?? 'OFFLINE';
}
