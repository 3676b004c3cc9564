import type { JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';

/** Snapchat's events by the standard vocabulary, or by their own names. */
const EVENTS: Readonly<Record<string, string>> = {
  'products searched': 'SEARCH',
  'product list viewed': 'VIEW_CONTENT',
  'product viewed': 'VIEW_CONTENT',
  'promotion viewed': 'AD_VIEW',
  'promotion clicked': 'AD_CLICK',
  'product added': 'ADD_CART',
  'product added to wishlist': 'ADD_TO_WISHLIST',
  'checkout started': 'START_CHECKOUT',
  'payment info entered': 'ADD_BILLING',
  'order completed': 'PURCHASE',
  'application opened': 'APP_OPEN',
  'application installed': 'APP_INSTALL',
  ...kit.objectOf(
    [
      ...[
        'SIGN_UP',
        'SAVE',
        'SUBSCRIBE',
        'COMPLETE_TUTORIAL',
        'INVITE',
        'LOGIN',
        'SHARE',
        'RESERVE',
        'RATE',
        'START_TRIAL',
      ],
      ...[
        'ACHIEVEMENT_UNLOCKED',
        'SPENT_CREDITS',
        'LEVEL_COMPLETE',
        'LIST_VIEW',
        'APP_OPEN',
        'APP_INSTALL',
        'PAGE_VIEW',
      ],
      ...[
        'SEARCH',
        'VIEW_CONTENT',
        'AD_VIEW',
        'AD_CLICK',
        'ADD_CART',
        'ADD_TO_WISHLIST',
        'START_CHECKOUT',
        'ADD_BILLING',
      ],
      ...['PURCHASE', 'CUSTOM_EVENT_1', 'CUSTOM_EVENT_2', 'CUSTOM_EVENT_3', 'CUSTOM_EVENT_4', 'CUSTOM_EVENT_5'],
    ].map((name) => [name.toLowerCase().replaceAll('_', ' '), name]),
  ),
};
const TRANSACTIONS: Readonly<Record<string, string[]>> = {
  START_CHECKOUT: ['checkout_id', 'order_id', 'transaction_id'],
  ADD_BILLING: ['checkout_id', 'order_id', 'transaction_id'],
  PURCHASE: ['order_id', 'transaction_id'],
};

/** Normalises spelling: `Product_Added` becomes `product added`. */
const sameWords = kit.commerceKey;

/** Snapchat's event for the configured name, otherwise for the event's own name. */
export function snapchatEvent(event: JsonObject, config: JsonObject): string {
  const name = kit.eventName(event);
  const words = sameWords(name);
  const configured = kit
    .configPairs(config, 'rudderEventsToSnapEvents')
    .find(([from]) => sameWords(from) === words)?.[1];
  return (
    kit.lookedUp(EVENTS, sameWords(configured ?? name)) ??
    kit.refuse(`${name} is none of Snapchat's events: map it by rudderEventsToSnapEvents`)
  );
}

export interface Commerce {
  /** A single id, or those of a list. */
  ids?: unknown;
  price?: string;
  category?: unknown;
  currency?: unknown;
  count?: unknown;
  search?: unknown;
  transaction?: string;
  products: readonly JsonObject[];
}

/** Commerce data of an event, in terms that both API versions share. */
export function commerceOf(event: JsonObject, name: string): Commerce {
  const properties = kit.objectAt(event, 'properties');
  const list = kit.productList(event);
  const price =
    list.length > 0
      ? (kit.firstAt(properties, ['revenue', 'value']) ?? kit.totalOf(list))
      : kit.firstAt(properties, ['price', 'revenue', 'value']);
  const ids =
    list.length > 0
      ? list.map(({ product_id: id, sku }) => id ?? sku)
      : kit.firstAt(properties, ['product_id', 'item_ids']);
  return kit.compact({
    ids,
    price: kit.toText(price),
    category: kit.firstAt(properties, ['item_category', 'category']),
    currency: properties['currency'],
    count: kit.firstAt(properties, ['number_items', 'quantity']),
    search: name === 'SEARCH' ? kit.firstAt(properties, ['query', 'search_string']) : undefined,
    transaction: kit.textAt(properties, kit.lookedUp(TRANSACTIONS, name) ?? '-'),
    products: list.length > 0 ? list : [properties],
  }) as unknown as Commerce;
}

/** `WEB`, `MOBILE_APP` or `OFFLINE`, from a property of the event or its channel. */
export function conversionType(event: JsonObject): 'WEB' | 'MOBILE_APP' | 'OFFLINE' {
  const channel = String(kit.firstAt(event, ['properties.eventConversionType', 'channel']) ?? '').toLowerCase();
  if (channel === 'web') return 'WEB';
  return channel === 'mobile' || channel === 'mobile_app' ? 'MOBILE_APP' : 'OFFLINE';
}
