import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import { restPayload } from '../payload.js';
import * as kit from '../toolkit/index.js';
import { deviceOf, sessionId } from './amplitude.device.js';
import { EVENT, PRODUCT, REVENUE, REVENUE_KEYS } from './amplitude.fields.js';
import { attribution, identified, propertiesOf } from './amplitude.user.js';

/** 2,000 events and 1 MB, https://amplitude.com/docs/apis/analytics/http-v2#upload-limit */
export const amplitudeBatch = kit.batchLists(['events'], { itemsMax: 1_000, bytesMax: 950_000 });

/** An event as requests to Amplitude: `/2/httpapi`, and for groups and aliases `/groupidentify` and `/usermap`. */
export function amplitudeTransform(event: JsonObject, config: JsonObject): Payload[] {
  const send = (...events: JsonObject[]) => events.map((item) => request(event, config, item));
  const common = (more: JsonObject) => eventOf(event, config, more);
  return kit.byType(event, {
    identify: () => {
      const osVersion = kit.textAt(event, kit.trait('os_version'));
      const user_properties = identified(event, config);
      return send(common({ event_type: '$identify', user_properties, ...(osVersion && { os_version: osVersion }) }));
    },
    track: () => send(...trackEvents(event, config)),
    page: () => send(common(viewOf(event, config, 'Page'))),
    screen: () => send(common(viewOf(event, config, 'Screen'))),
    group: () => {
      const group = groupOf(event, config);
      const groups = { [group.group_type]: group.group_value };
      const user_properties = { ...attribution(event), ...groups };
      const identification = { ...group, group_properties: kit.objectAt(event, 'traits') };
      return [
        ...send(common({ event_type: '$identify', user_properties, groups })),
        form(event, config, 'groupidentify', { identification: [JSON.stringify(identification)] }),
      ];
    },
    alias: () => [form(event, config, 'usermap', { mapping: [JSON.stringify(aliasOf(event))] })],
  });
}

function eventOf(event: JsonObject, config: JsonObject, more: JsonObject): JsonObject {
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

const options = (event: JsonObject) => kit.integrationOptions(event, 'amplitude', 'am');

/** The event itself, and one event for each product unless they stay in it. */
function trackEvents(event: JsonObject, config: JsonObject): JsonObject[] {
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

/** A price without a quantity is the revenue of one. */
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

function viewOf(event: JsonObject, config: JsonObject, what: 'Page' | 'Screen'): JsonObject {
  const category = 'properties.category';
  const name = kit.textAt(event, what === 'Page' ? ['name', category] : ['name', 'event', category]);
  const template = kit.configText(config, `userProvided${what}EventString`);
  const isNamed = kit.isOn(config, `useUserDefined${what}EventName`);
  const own = template === '' ? name : kit.fillTemplate(template, event);
  return {
    event_type: isNamed ? own : ['Viewed', name, what].filter(Boolean).join(' '),
    user_properties: propertiesOf(event),
    event_properties: { ...kit.objectAt(event, 'properties'), ...kit.compact({ name }) },
  };
}

function groupOf(event: JsonObject, config: JsonObject): { group_type: string; group_value: string | number } {
  const traits = kit.objectAt(event, 'traits');
  const type = kit.valueAt(traits, kit.configText(config, 'groupTypeTrait') || '-');
  const value = kit.valueAt(traits, kit.configText(config, 'groupValueTrait') || '-');
  if (typeof type !== 'string' || (typeof value !== 'string' && typeof value !== 'number')) {
    kit.refuse('the traits named by groupTypeTrait and groupValueTrait must be texts');
  }
  return { group_type: type, group_value: value };
}

function aliasOf(event: JsonObject): JsonObject {
  const user_properties = attribution(event);
  const person = { user_id: event['previousId'], ...(!kit.isEmpty(user_properties) && { user_properties }) };
  const { unmap } = options(event);
  if (unmap) return { ...person, user_id: unmap, unmap: true };
  return { global_user_id: kit.textAt(event, kit.KNOWN_USER_ID), ...kit.compact(person) };
}

const host = (config: JsonObject) =>
  config['residencyServer'] === 'EU' ? 'https://api.eu.amplitude.com' : 'https://api2.amplitude.com';
const anonymousId = (event: JsonObject) => ({ userId: kit.textAt(event, 'anonymousId') });

/** Ids of one character are ids too: Amplitude asks for five unless told. */
const request = (event: JsonObject, config: JsonObject, item: JsonObject): Payload =>
  kit.jsonRequest(
    `${host(config)}/2/httpapi`,
    { api_key: kit.requiredText(config, 'apiKey'), events: [item], options: { min_id_length: 1 } },
    anonymousId(event),
  );

const form = (event: JsonObject, config: JsonObject, path: string, fields: JsonObject): Payload =>
  restPayload({
    method: 'POST',
    endpoint: `${host(config)}/${path}`,
    body: { FORM: { api_key: kit.requiredText(config, 'apiKey'), ...fields } },
    ...anonymousId(event),
  });
