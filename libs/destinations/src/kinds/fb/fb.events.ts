import type { JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';

/**
 * Names of standard events, by those of the e-commerce vocabulary.
 * https://developers.facebook.com/docs/marketing-api/app-event-api, standard events
 */
const STANDARD: Readonly<Record<string, string>> = {
  'products searched': 'fb_mobile_search',
  'product viewed': 'fb_mobile_content_view',
  'product added': 'fb_mobile_add_to_cart',
  'product added to wishlist': 'fb_mobile_add_to_wishlist',
  'payment info entered': 'fb_mobile_add_payment_info',
  'checkout started': 'fb_mobile_initiated_checkout',
  'order completed': 'fb_mobile_purchase',
  'product reviewed': 'fb_mobile_rate',
  'complete registration': 'fb_mobile_complete_registration',
  'complete tutorial': 'fb_mobile_tutorial_completion',
  'achieve level': 'fb_mobile_level_achieved',
  'unlock achievement': 'fb_mobile_achievement_unlocked',
  'spend credits': 'fb_mobile_spent_credits',
  'start trial': 'StartTrial',
  subscribe: 'Subscribe',
  'promotion viewed': 'AdImpression',
  'promotion clicked': 'AdClick',
};

/** https://developers.facebook.com/docs/graph-api/reference/application/page_activities/, `_eventName`. */
const NAME = /^[0-9a-zA-Z_][0-9a-zA-Z _-]{0,39}$/;

export function trackName(event: JsonObject): string {
  const name = kit.eventName(event);
  const sent = kit.lookedUp(STANDARD, kit.commerceKey(name)) ?? name;
  const isUsable = NAME.test(sent);
  return isUsable
    ? sent
    : kit.refuse('Event name must have at most 40 letters, digits, spaces, hyphens and underscores');
}

/** A name that Facebook does not take is left out. The description has it too. */
export function screenName(event: JsonObject): string {
  const screen = kit.textAt(event, ['properties.name', 'name'])?.slice(0, kit.NAME_LENGTH_MAX);
  const name = `Viewed ${screen} Screen`;
  return screen !== undefined && NAME.test(name) ? name : 'Viewed Screen';
}

const EVENT: kit.Mapping = {
  _logTime: { from: kit.TIMESTAMP, as: kit.toUnixMillis },
  _valueToSum: { from: ['properties.revenue', 'properties.price'], as: kit.toNumber },
  fb_currency: { from: kit.CURRENCY, as: kit.onlyText },
  fb_order_id: { from: 'properties.order_id', as: [kit.onlyId, kit.toText] },
  fb_num_items: { from: 'properties.quantity', as: kit.toInteger },
  fb_search_string: { from: 'properties.query', as: [kit.onlyId, kit.toText] },
  fb_description: { from: 'properties.name', as: [kit.onlyId, kit.toText] },
};
/** These have a form of their own. A price stays, because it may stand beside the sum of an order. */
const TAKEN = [
  ...['revenue', 'currency', 'order_id', 'quantity', 'query', 'name'],
  ...['product_id', 'products', 'application_tracking_enabled'],
];

/** Facebook takes what identifies a person only as the hashes beside the events. */
const PERSONAL = [
  ...['email', 'phone', 'firstName', 'lastName', 'firstname', 'lastname', 'first_name', 'last_name'],
  ...['gender', 'birthday'],
];

/** One event of the app: its name, its standard parameters, and all other properties. */
export function appEvent(event: JsonObject, name: string): JsonObject {
  const properties = kit.objectAt(event, 'properties');
  if (kit.isGiven(properties['revenue']) && !kit.isGiven(kit.onlyText(properties['currency']))) {
    kit.refuse('properties.revenue needs properties.currency');
  }
  if (kit.isGiven(properties['revenue']) && kit.toNumber(properties['revenue']) === undefined) {
    kit.refuse('properties.revenue must be a number');
  }
  const standard = kit.mapFields(event, EVENT);
  // A price may lack the currency that its sum needs.
  const isSum = 'fb_currency' in standard;
  const own = Object.entries(kit.restOf(properties, [...TAKEN, ...PERSONAL])).filter(([, value]) => kit.isGiven(value));
  return {
    _eventName: name,
    ...(isSum ? standard : kit.omit(standard, ['_valueToSum'])),
    ...kit.objectOf(own.map(([key, value]) => [key, parameter(value)])),
    ...kit.withoutEmpty({ fb_content_id: contentIds(event, properties) }),
  };
}

/** Parameters are flat. A list or an object is JSON in a text. */
const parameter = (value: unknown) => (kit.isScalar(value) ? value : kit.toText(value));

function contentIds(event: JsonObject, properties: JsonObject): unknown {
  const ids = kit.productList(event).flatMap((product) => idOf(product, 'properties.products.product_id') ?? []);
  return ids.length > 0 ? ids : idOf(properties, 'properties.product_id');
}

/** Catalogues know products by texts. A number may have lost leading zeros. */
function idOf({ product_id: id }: JsonObject, path: string): string | undefined {
  if (!kit.isGiven(id)) return undefined;
  return kit.onlyText(id) ?? kit.refuse(`${path} must be a text`);
}
