import type { JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';
import { eventOf, options } from './amplitude.event.js';
import { userProperties } from './amplitude.user.js';

/** A track event. If it has a revenue, the configuration says whether it or each of its products counts it. */
export function trackEvents(event: JsonObject, config: JsonObject): JsonObject[] {
  const { event: name } = event;
  if (typeof name !== 'string' || name === '') kit.refuse('Event name is required, as a text');
  if (name.length > kit.NAME_LENGTH_MAX) kit.refuse(`Event name has more than ${kit.NAME_LENGTH_MAX} characters`);
  if (!kit.isGiven(kit.valueAt(event, 'properties.revenue'))) return [trackEvent(event, config)];

  const products = kit.productList(event);
  if (products.length === 0) return [trackEvent(event, config, revenueOf)];
  const { trackProductsOnce: isKept, trackRevenuePerProduct: isByProduct } = config;
  const properties = kit.objectAt(event, 'properties');
  const left = isKept === false ? { ...event, properties: kit.omit(properties, ['products']) } : event;
  const main = trackEvent(left, config, isByProduct === false ? revenueOf : undefined);
  if (isKept !== false && isByProduct !== true) return [main];
  return [main, ...products.map((product, index) => purchase(event, config, product, index + 1))];
}

/** An event for one product, with the rest of the event as it is. */
function purchase(event: JsonObject, config: JsonObject, product: JsonObject, position: number): JsonObject {
  const { messageId } = event;
  const bought = { ...event, event: 'Product Purchased', properties: product };
  const named = kit.isGiven(messageId) ? { ...bought, messageId: `${kit.toText(messageId)}-${position}` } : bought;
  return trackEvent(named, config, config['trackRevenuePerProduct'] === true ? revenueOf : undefined);
}

/** Groups that the sender names for Amplitude. */
const groupsOf = (event: JsonObject) => kit.compact({ groups: kit.onlyObject(options(event)['groups']) });

type Revenue = (properties: JsonObject) => JsonObject;

function trackEvent(event: JsonObject, config: JsonObject, revenue?: Revenue): JsonObject {
  const { properties } = event;
  const counted = kit.objectAt(event, 'properties');
  return eventOf(event, config, {
    event_type: event['event'],
    ...(properties ? { event_properties: revenue ? kit.omit(counted, REVENUE_KEYS) : counted } : {}),
    user_properties: userProperties(event, config, 'track'),
    ...groupsOf(event),
    ...revenue?.(counted),
  });
}

const REVENUE_KEYS = ['price', 'product_id', 'quantity', 'revenue'];

/** Without a price, the revenue is that of one item. */
const revenueOf: Revenue = ({ product_id, price, quantity, revenue, revenueType, revenue_type }) =>
  kit.compact({
    productId: product_id,
    price: kit.isGiven(price) ? price : revenue,
    quantity: kit.isGiven(price) ? quantity || 1 : 1,
    revenue,
    revenueType: revenueType || revenue_type || 'Purchased',
  });

/** A page or screen event, with the name from the configuration. */
export function viewEvent(event: JsonObject, config: JsonObject, what: 'Page' | 'Screen'): JsonObject {
  const category = 'properties.category';
  const name = kit.firstAt(event, what === 'Page' ? ['name', category] : ['name', 'event', category]);
  const event_type = kit.isOn(config, `useUserDefined${what}EventName`)
    ? ownName(event, kit.configText(config, `userProvided${what}EventString`))
    : `Viewed ${kit.toText(name) ?? ''} ${what}`;
  if (!event_type) kit.refuse(`the name of ${what.toLowerCase()} events has no value`);
  return eventOf(event, config, {
    event_type: event_type.slice(0, kit.NAME_LENGTH_MAX),
    event_properties: kit.merged(kit.omit(kit.objectAt(event, 'properties'), ['name']), kit.compact({ name })),
    user_properties: userProperties(event, config, 'view'),
    ...groupsOf(event),
  });
}

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/** Every placeholder has the value of the first, as existing reports know the names. An absent value leaves nothing. */
function ownName(event: JsonObject, template: string): string | undefined {
  if (template === '') return kit.textAt(event, 'name');
  const [[, path = ''] = []] = template.matchAll(PLACEHOLDER);
  const value = path.trim() === '' ? undefined : kit.valueAt(event, path.trim());
  const text = (kit.toText(value) ?? '').slice(0, kit.NAME_LENGTH_MAX);
  return template.replace(PLACEHOLDER, () => text);
}
