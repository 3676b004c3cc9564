import { isJsonObject, type JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';

/** TikTok's events by lower-case names. https://ads.tiktok.com/help/article/supported-standard-events */
const STANDARD_EVENTS: Readonly<Record<string, string>> = {
  ...kit.objectOf(
    [
      ...['ViewContent', 'ClickButton', 'Search', 'Contact', 'Download', 'SubmitForm', 'CompleteRegistration'],
      ...['Subscribe', 'Purchase', 'Lead', 'CustomizeProduct', 'FindLocation', 'Schedule'],
    ].map((name) => [name.toLowerCase(), name]),
  ),
  'application approval': 'ApplicationApproval',
  'submit application': 'SubmitApplication',
  'start trial': 'StartTrial',
  'product added to wishlist': 'AddToWishlist',
  'product added': 'AddToCart',
  'checkout started': 'InitiateCheckout',
  'payment info entered': 'AddPaymentInfo',
  'checkout step completed': 'CompletePayment',
  'order completed': 'PlaceAnOrder',
};

/** All TikTok events configured for this event. Without any, a standard event, or the event's own name if enabled. */
export function tiktokEvents(event: JsonObject, config: JsonObject): string[] {
  if (typeof event['event'] !== 'string') kit.refuse('Event name is required and must be a text');
  const name = kit.eventName(event);
  const key = name.trim().toLowerCase();
  const mapped = kit.configPairs(config, 'eventsToStandard').filter(([from]) => from.toLowerCase() === key);
  if (mapped.length > 0) return [...new Set(mapped.map(([, to]) => to))];
  const own = kit.isOn(config, 'sendCustomEvents') ? name : undefined;
  const standard = kit.lookedUp(STANDARD_EVENTS, key) ?? own;
  const help = 'map it in eventsToStandard, or turn sendCustomEvents on';
  return [standard ?? kit.refuse(`the event ${name} has no event of TikTok: ${help}`)];
}

export const EVENT_ID = [...kit.property('eventId', 'event_id'), 'messageId'];

/** A product of the e-commerce vocabulary in TikTok's form. */
export const CONTENT: kit.Mapping = {
  content_id: { from: 'product_id', as: kit.toText },
  content_category: 'category',
  content_name: 'name',
  price: 'price',
  quantity: 'quantity',
  description: 'description',
  brand: 'brand',
};

/** `properties.contents` in TikTok's form. A single item may stand without a list. Undefined without any. */
export const givenContents = ({ contents }: JsonObject): JsonObject[] | undefined =>
  kit.isGiven(contents) ? [contents].flat().filter(isJsonObject) : undefined;

/** The products in TikTok's form, also if there are none in what is given. Undefined if nothing is given. */
export function productContents(
  event: JsonObject,
  contentOf: (product: JsonObject) => JsonObject,
): JsonObject[] | undefined {
  if (!kit.isGiven(kit.valueAt(event, kit.PRODUCTS))) return undefined;
  const contents = kit.productList(event).map(contentOf);
  return contents.filter((content) => !kit.isEmpty(content));
}

/** The TikTok id or ids in `context.externalId`. A number is none. */
export function externalIds(event: JsonObject): unknown {
  const given = kit.onlyArray(kit.valueAt(event, 'context.externalId'))?.filter(isJsonObject);
  const id = given?.find(({ type }) => type === 'tiktokExternalId')?.['id'];
  return kit.isGiven(id) && typeof id !== 'number' ? id : undefined;
}

/**
 * Hashes personal data if the configuration says that it is plain, in the form that TikTok compares: a text or each of a list.
 * Objects, which are no personal data, are left out.
 */
export function hashedIfPlain(config: JsonObject, normalize: (text: string) => string): kit.Conversion {
  const isPlain = kit.isOn(config, 'hashUserProperties');
  const one = (value: unknown) => (isPlain ? kit.hashedPlain(value, normalize) : kit.onlyId(value));
  return (value) => {
    if (!Array.isArray(value)) return one(value);
    const given = value.map(one).filter(kit.isGiven);
    return given.length > 0 ? given : undefined;
  };
}

export const withoutSpaceAround = (text: string): string => text.trim();
