import { isJsonObject, type JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';
import {
  ITEM,
  ITEM_EXTRAS,
  RECOMMENDED,
  RESERVED_EVENTS,
  RESERVED_PREFIX,
  RESERVED_USER_PROPERTIES,
  type Recommended,
} from './ga4.events.js';

/** Properties that go elsewhere in the event or into the session. */
const STEERING = ['user_properties', 'engagementTimeMsec', 'sessionId', 'sessionNumber'];
const NAME = /^[A-Za-z][A-Za-z0-9_]*$/;
const USER_NAME_MAX = 24;
const USER_VALUE_MAX = 36;

const byGoogleName = new Map(Object.values(RECOMMENDED).map((event) => [event.name, event]));

/** The event with Google's name and parameters. Custom events keep their name, with `_` for spaces. */
export function trackEvent(event: JsonObject): { name: string; params: JsonObject } {
  const given = event['event'];
  if (given !== undefined && typeof given !== 'string') kit.refuse('Event name must be a text');
  const words = kit.eventName(event).trim();
  const properties = kit.omit(kit.objectAt(event, 'properties'), STEERING);
  const recommended = kit.lookedUp(RECOMMENDED, kit.commerceKey(words)) ?? byGoogleName.get(words);
  if (recommended) return { name: recommended.name, params: recommendedParams(recommended, properties) };
  const name = words.replace(/\s+/g, '_');
  if (!NAME.test(name)) kit.refuse('Event name must start with a letter and hold letters, digits and _ only');
  if (RESERVED_EVENTS.has(name) || RESERVED_PREFIX.test(name)) kit.refuse(`Event name ${name} is reserved by Google`);
  return { name, params: flatParams(properties) };
}

/** Flattens properties. Drops empty values and names that Google reserves. */
export function flatParams(properties: JsonObject): JsonObject {
  const flat = kit.flatten(properties, { separator: '_', arrays: 'separator' });
  return kit.pick(flat, (value, key) => !kit.isEmpty(value) && !RESERVED_PREFIX.test(key));
}

function recommendedParams({ name, params, items: has }: Recommended, properties: JsonObject): JsonObject {
  const listed = Array.isArray(properties['products']) ? properties['products'].filter(isJsonObject) : [];
  const namesProduct = properties['product_id'] !== undefined || properties['name'] !== undefined;
  const isOwnProduct = has !== undefined && listed.length === 0 && namesProduct;
  const items = isOwnProduct ? [kit.pick(properties, (_, key) => isItemKey(key))] : listed;
  if (has === 'required' && items.length === 0) kit.refuse(`${name} needs products, each with a product_id or a name`);
  const read = kit.keysRead(params);
  const left = [...read, 'products', ...(isOwnProduct ? Object.keys(properties).filter(isItemKey) : [])];
  const mapped = kit.mapFields(properties, params);
  return kit.merged(
    flatParams(kit.omit(properties, left)),
    has !== undefined && 'value' in params ? valueOfProduct(properties) : {},
    mapped,
    has !== undefined && items.length > 0 ? { items: items.map(itemOf) } : {},
  );
}

const ITEM_READ = new Set(kit.keysRead(ITEM));
const ITEM_KEYS = new Set([...ITEM_READ, ...ITEM_EXTRAS]);
const isItemKey = (key: string) => ITEM_KEYS.has(key);

/** The value of a product, for an event with one product and no total. */
function valueOfProduct({ price, quantity }: JsonObject): JsonObject {
  const each = kit.toNumber(price);
  return each === undefined ? {} : { value: each * (kit.toNumber(quantity) ?? 1) };
}

function itemOf(product: JsonObject): JsonObject {
  const item = kit.mapFields(product, ITEM);
  if (item['item_id'] === undefined && item['item_name'] === undefined)
    kit.refuse('every product needs a product_id or a name');
  return kit.merged(flatParams(kit.pick(product, (_, key) => !ITEM_READ.has(key))), item);
}

/** `{ name: { value } }`, within Google's limits on names and values. */
export function userProperties(event: JsonObject, config: JsonObject): JsonObject {
  const ignored = kit.configWords(config, 'piiPropertiesToIgnore', 'piiProperty');
  const given = kit.merged(kit.objectAt(event, 'properties.user_properties'), kit.objectAt(event, 'context.traits'));
  const kept = Object.entries(kit.omit(given, ignored)).filter(([name, value]) => isUserProperty(name, value));
  return kit.objectOf(kept.map(([name, value]) => [name, { value }]));
}

function isUserProperty(name: string, value: unknown): boolean {
  const isName = /^[A-Za-z]/.test(name) && name.length <= USER_NAME_MAX && !RESERVED_PREFIX.test(name);
  if (!isName || RESERVED_USER_PROPERTIES.has(name)) return false;
  if (typeof value === 'string') return value !== '' && value.length <= USER_VALUE_MAX;
  return typeof value === 'number' || typeof value === 'boolean';
}
