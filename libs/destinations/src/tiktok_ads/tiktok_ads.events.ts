import type { JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';

/** https://ads.tiktok.com/help/article/supported-standard-events */
const STANDARD_EVENTS: Readonly<Record<string, string>> = byLowerCase([
  ...['AddPaymentInfo', 'AddToCart', 'AddToWishlist', 'ApplicationApproval', 'ClickButton', 'CompletePayment'],
  ...['CompleteRegistration', 'Contact', 'CustomizeProduct', 'Download', 'FindLocation', 'InitiateCheckout', 'Lead'],
  ...['PlaceAnOrder', 'Purchase', 'Schedule', 'Search', 'StartTrial', 'SubmitApplication', 'SubmitForm', 'Subscribe'],
  'ViewContent',
]);
/** TikTok's events for the e-commerce vocabulary. */
const COMMERCE_EVENTS: Readonly<Record<string, string>> = {
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
  const name = kit.eventName(event).trim();
  const key = name.toLowerCase();
  const mapped = kit.configPairs(config, 'eventsToStandard').filter(([from]) => from.toLowerCase() === key);
  if (mapped.length > 0) return mapped.map(([, to]) => to);
  const standard = [COMMERCE_EVENTS, STANDARD_EVENTS].find((events) => Object.hasOwn(events, key))?.[key];
  if (standard) return [standard];
  if (kit.isOn(config, 'sendCustomEvents')) return [name];
  return kit.refuse(
    `the event ${name} has no event of TikTok: map it in eventsToStandard, or turn sendCustomEvents on`,
  );
}

function byLowerCase(names: readonly string[]): Record<string, string> {
  return kit.objectOf(names.map((name) => [name.toLowerCase(), name]));
}
