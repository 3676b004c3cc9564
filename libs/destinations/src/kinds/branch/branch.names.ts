import * as kit from '../../toolkit/index.js';

/** https://help.branch.io/apidocs/logstandardevents: names of commerce, content and life cycle. */
export const STANDARD_NAMES: readonly string[] = [
  ...['ADD_TO_CART', 'ADD_TO_WISHLIST', 'VIEW_CART', 'INITIATE_PURCHASE', 'ADD_PAYMENT_INFO', 'CLICK_AD', 'PURCHASE'],
  ...['SPEND_CREDITS', 'VIEW_AD', 'RESERVE'],
  ...['SEARCH', 'VIEW_ITEM', 'VIEW_ITEMS', 'RATE', 'SHARE', 'INITIATE_STREAM', 'COMPLETE_STREAM'],
  ...['COMPLETE_REGISTRATION', 'COMPLETE_TUTORIAL', 'ACHIEVE_LEVEL', 'UNLOCK_ACHIEVEMENT', 'INVITE', 'LOGIN'],
  ...['START_TRIAL', 'SUBSCRIBE'],
];

/** Events of the e-commerce vocabulary that Branch calls otherwise. */
const COMMERCE: Readonly<Record<string, string>> = {
  'product added': 'ADD_TO_CART',
  'product added to wishlist': 'ADD_TO_WISHLIST',
  'cart viewed': 'VIEW_CART',
  'checkout started': 'INITIATE_PURCHASE',
  'payment info entered': 'ADD_PAYMENT_INFO',
  'order completed': 'PURCHASE',
  'promotion viewed': 'VIEW_AD',
  'promotion clicked': 'CLICK_AD',
  'products searched': 'SEARCH',
  'product viewed': 'VIEW_ITEM',
  'product list viewed': 'VIEW_ITEMS',
  'product reviewed': 'RATE',
  'product shared': 'SHARE',
};
const BY_KEY = kit.objectOf(STANDARD_NAMES.map((name) => [kit.commerceKey(name), name] as const));

/** The standard event of a name, in any spelling: `Start Trial` and `start_trial` are START_TRIAL. */
export function standardName(name: string): string | undefined {
  const key = kit.commerceKey(name);
  return kit.lookedUp(COMMERCE, key) ?? kit.lookedUp(BY_KEY, key);
}
