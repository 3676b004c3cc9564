import type { JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';
import { deviceOf, sessionId } from './amplitude.device.js';
import { EVENT, PRODUCT, REVENUE, REVENUE_KEYS } from './amplitude.fields.js';
import { propertiesOf } from './amplitude.user.js';

export const options = (event: JsonObject) => kit.integrationOptions(event, 'amplitude', 'am');

/** An event with the common fields. */
export function eventOf(event: JsonObject, config: JsonObject, more: JsonObject): JsonObject {
  const item: JsonObject = {
    ...kit.mapFields(event, EVENT),
    ...deviceOf(event, config),
    ...(typeof options(event)['event_id'] === 'number' && { event_id: options(event)['event_id'] }),
    ...(options(event)['skipUserPropertiesSync'] === true && { $skip_user_properties_sync: true }),
    session_id: sessionId(event),
    library: kit.SENDER.id,
    ...more,
  };
  if (item['user_id'] === undefined && item['device_id'] === undefined)
    kit.refuse('the event needs a user id or a device id');
  return item;
}

/** The event itself, plus one event per product unless the products stay in it. */
export function trackEvents(event: JsonObject, config: JsonObject): JsonObject[] {
  const event_type = kit.eventName(event);
  const properties = kit.objectAt(event, 'properties');
  const products = kit.productList(event);
  const revenueByProduct = kit.isOn(config, 'trackRevenuePerProduct') && products.length > 0;
  const isRevenue = kit.isGiven(properties['revenue']) && !revenueByProduct;
  const left = [
    ...(isRevenue ? REVENUE_KEYS : []),
    ...(kit.isOn(config, 'trackProductsOnce') || products.length === 0 ? [] : ['products']),
  ];
  const main = eventOf(event, config, {
    event_type,
    user_properties: propertiesOf(event),
    ...(!kit.isEmpty(properties) && { event_properties: kit.omit(properties, left) }),
    ...(isRevenue && revenueFields(event)),
  });
  if (products.length === 0 || (kit.isOn(config, 'trackProductsOnce') && !revenueByProduct)) return [main];
  const shared = kit.omit(main, ['event_properties', 'event_type', ...Object.keys(REVENUE)]);
  return [main, ...products.map((product, index) => productEvent(shared, product, index + 1, revenueByProduct))];
}

/** A price without a quantity is the revenue of one item. */
function revenueFields(event: JsonObject): JsonObject {
  const fields = kit.mapFields(event, REVENUE);
  const hasPrice = kit.isGiven(kit.valueAt(event, 'properties.price'));
  return hasPrice ? { quantity: 1, ...fields } : { ...fields, quantity: 1 };
}

function productEvent(shared: JsonObject, product: JsonObject, position: number, withRevenue: boolean): JsonObject {
  const insertId = kit.textAt(shared, 'insert_id');
  return {
    ...shared,
    ...(insertId !== undefined && { insert_id: `${insertId}-${position}` }),
    event_type: 'Product Purchased',
    event_properties: withRevenue ? kit.omit(product, REVENUE_KEYS) : product,
    ...(withRevenue && kit.mapFields(product, PRODUCT)),
  };
}

/** A page or screen event, with the name from the configuration. */
export function viewOf(event: JsonObject, config: JsonObject, what: 'Page' | 'Screen'): JsonObject {
  const category = 'properties.category';
  const name = kit.textAt(event, what === 'Page' ? ['name', category] : ['name', 'event', category]);
  const template = kit.configText(config, `userProvided${what}EventString`);
  const isNamed = kit.isOn(config, `useUserDefined${what}EventName`);
  const own = template === '' ? name : kit.fillTemplate(template, event, kit.NAME_LENGTH_MAX);
  return {
    event_type: isNamed ? own : ['Viewed', name, what].filter(Boolean).join(' '),
    user_properties: propertiesOf(event),
    event_properties: kit.merged(kit.objectAt(event, 'properties'), kit.compact({ name })),
  };
}
