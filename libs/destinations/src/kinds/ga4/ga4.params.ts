import type { JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';
import { ITEM, ITEM_EXTRAS, PRODUCT_KEYS, type Recommended, recommendedEvent, TOTALS } from './ga4.events.js';
import { checkEventName, isReservedParam } from './ga4.names.js';

/** An event as Google is told it. */
export interface NamedEvent {
  name: string;
  params: JsonObject;
}

/** Keys that steer the request and are not parameters of their own. */
const STEERING = ['user_properties', 'firebase_conversion', 'engagementTimeMsec', 'sessionId'];

const common = (below: readonly string[]): kit.Mapping => {
  const under = (...names: string[]) => names.flatMap((name) => below.map((object) => `${object}.${name}`));
  return {
    // Google counts a user as active only with a session and an engagement time.
    engagement_time_msec: { from: under('engagementTimeMsec', 'engagement_time_msec'), default: 1 },
    session_id: [...under('sessionId', 'session_id'), 'context.sessionId'],
    // place by place, unlike the two above
    session_number: below.flatMap((object) => [`${object}.sessionNumber`, `${object}.session_number`]),
  };
};
const COMMON: kit.Mapping = {
  ...common(['properties']),
  page_referrer: 'context.page.referrer',
  page_title: 'context.page.title',
  page_location: 'context.page.url',
};
const COMMON_OF_GROUPS = common(['traits', 'context.traits']);

/** The event with Google's name and parameters. A custom event keeps its name, with `_` for spaces. */
export function trackEvent(event: JsonObject): NamedEvent {
  const name = trackName(event);
  const recommended = recommendedEvent(name);
  if (!recommended) checkEventName(name);
  const { params, left } = recommended ? recommendedParams(event, recommended) : { params: {}, left: [] };
  const custom = customParams(kit.omit(kit.objectAt(event, 'properties'), left));
  return { name: recommended?.name ?? name, params: allParams(params, custom, kit.mapFields(event, COMMON)) };
}

/** The event with all its properties as parameters. */
export function customEvent(event: JsonObject, name = trackName(event), left: readonly string[] = []): NamedEvent {
  checkEventName(name);
  const custom = customParams(kit.omit(kit.objectAt(event, 'properties'), left));
  return { name, params: allParams(custom, kit.mapFields(event, COMMON)) };
}

function trackName(event: JsonObject): string {
  if (typeof event['event'] !== 'string') kit.refuse('Event name must be a text');
  return kit.eventName(event).trim().replace(/\s+/g, '_');
}

export function pageEvent(event: JsonObject): NamedEvent {
  const custom = customParams(kit.objectAt(event, 'properties'));
  return { name: 'page_view', params: allParams(custom, kit.mapFields(event, COMMON)) };
}

export function groupEvent(event: JsonObject): NamedEvent {
  const traits = kit.merged(kit.objectAt(event, 'traits'), kit.objectAt(event, 'context.traits'));
  const custom = customParams(kit.omit(traits, ['groupId', 'products']));
  const group = kit.mapFields(event, { group_id: ['groupId', 'traits.groupId'] });
  return { name: 'join_group', params: allParams(group, custom, kit.mapFields(event, COMMON_OF_GROUPS)) };
}

const customParams = (values: JsonObject) => flat(kit.omit(values, STEERING));

/** Nested keys joined by `_`, without empty values. */
function flat(values: JsonObject): JsonObject {
  const entries = Object.entries(kit.flatten(values, { separator: '_', arrays: 'separator' }));
  return kit.objectOf(
    entries.filter(([, value]) => isParam(value)).map(([key, value]) => [key.replaceAll('.', '_'), value] as const),
  );
}

const isParam = (value: unknown) => !kit.isEmpty(kit.trimmed(value));

/** Merges layers of parameters. Later layers win. Only `items` may hold a list. */
export const allParams = (...layers: JsonObject[]): JsonObject =>
  kit.pick(
    kit.merged(...layers),
    (value, key) => !isReservedParam(key) && isParam(value) && (typeof value !== 'object' || key === 'items'),
  );

/** The parameters of a recommended event, and the properties that are not custom because they were read. */
function recommendedParams(event: JsonObject, recommended: Recommended): { params: JsonObject; left: string[] } {
  const { items, isOfProperties } = itemsOf(event, recommended);
  const params = kit.mapFields(event, recommended.params);
  const read = Object.values(recommended.params).flatMap(({ from }) => [from].flat().map(lastSegment));
  return {
    params: {
      ...params,
      ...(recommended.perProduct && { value: params['value'] ?? valueOfProduct(event, recommended.perProduct) }),
      ...(items.length > 0 && { items }),
    },
    left: ['products', ...read, ...(isOfProperties ? [...kit.keysRead(ITEM), ...ITEM_EXTRAS] : [])],
  };
}

const lastSegment = (path: string) => path.split('.').at(-1) ?? path;

/** Price times quantity, for an event without a total. Google refuses an event without its value. */
function valueOfProduct(event: JsonObject, { quantity: byDefault }: { quantity?: number }): number {
  const each = kit.toNumber(kit.firstAt(event, 'properties.price'));
  const count = kit.toNumber(kit.firstAt(event, 'properties.quantity') ?? byDefault);
  const hasTotal = kit.firstAt(event, kit.property(...TOTALS)) !== undefined;
  if (hasTotal || each === undefined || count === undefined) {
    return kit.refuse(`value is required: ${TOTALS.join(', ')}, or price and quantity`);
  }
  return each * count;
}

interface Items {
  items: JsonObject[];
  /** The properties of the event are themselves the product. */
  isOfProperties: boolean;
}

function itemsOf(event: JsonObject, { name, products }: Recommended): Items {
  if (!products) return { items: [], isOfProperties: false };
  const list = products === 'properties' ? [] : kit.productList(event);
  if (list.length > 0) return { items: list.map(itemOfProduct), isOfProperties: false };
  if (products === 'list') kit.refuse(`${name} needs products, each with a product_id or a name`);
  if (products === 'optional list') return { items: [], isOfProperties: false };
  const properties = kit.objectAt(event, 'properties');
  const extras = kit.pick(kit.only(properties, ITEM_EXTRAS), (value) => isParam(value) && typeof value !== 'object');
  return { items: [kit.merged(namedItem(properties), extras)], isOfProperties: true };
}

function itemOfProduct(product: JsonObject): JsonObject {
  return kit.merged(namedItem(product), flat(kit.pick(product, (_, key) => !PRODUCT_KEYS.has(key))));
}

function namedItem(product: JsonObject): JsonObject {
  const item = kit.pick(kit.mapFields(product, ITEM), (value) => isParam(value) && typeof value !== 'object');
  if (item['item_id'] === undefined && item['item_name'] === undefined) {
    kit.refuse('every product needs a product_id or a name');
  }
  return item;
}
