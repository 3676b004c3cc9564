import { isJsonObject, type JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';

/** The options of an event for this destination. Only this spelling counts. */
export const options = (event: JsonObject) => kit.objectAt(event, 'integrations.Amplitude');

/** Keys of an event that read one path, https://amplitude.com/docs/apis/analytics/http-v2#keys-for-the-event-argument */
const PATHS = {
  device_id: 'anonymousId',
  carrier: 'context.network.carrier',
  app_name: 'context.app.name',
  app_version: 'context.app.version',
  language: 'context.locale',
};
/** Keys of the device. In a browser the browser counts as the system, as in Amplitude's own libraries. */
const DEVICE = {
  os_name: 'context.os.name',
  os_version: 'context.os.version',
  device_model: 'context.device.model',
  device_manufacturer: 'context.device.manufacturer',
  platform: 'context.device.type',
};
const PURCHASE = {
  productId: 'properties.product_id',
  price: 'properties.price',
  quantity: 'properties.quantity',
  revenue: 'properties.revenue',
  revenueType: 'properties.revenue_type',
};

const PLACE: kit.Mapping = {
  region: ['traits.region', 'context.location.region'],
  location_lat: ['traits.location_lat', 'context.location.latitude'],
  location_lng: ['traits.location_lng', 'context.location.longitude'],
  dma: ['traits.dma', 'context.location.dma'],
  country: ['traits.country', 'context.location.country', ...kit.COUNTRY],
  city: ['traits.city', 'context.location.city', ...kit.CITY],
  ip: [...kit.IP, 'traits.ip'],
};

const isType = (event: JsonObject, ...types: string[]) => types.includes(String(event['type']).toLowerCase());
const isWeb = (event: JsonObject) => String(event['channel']).toLowerCase() === 'web';

/** An event with the common fields. */
export function eventOf(event: JsonObject, config: JsonObject, more: JsonObject): JsonObject {
  const { userId } = event;
  const item: JsonObject = {
    ...kit.compact({ ...keysOf(event, config), ...advertisingIds(event), ...kit.mapFields(event, PLACE) }),
    time: timeOf(event),
    ...(kit.onlyId(userId) && { user_id: userId }),
    session_id: sessionId(event),
    library: kit.SENDER.id,
    ...(options(event)['skipUserPropertiesSync'] ? { $skip_user_properties_sync: true } : {}),
    ...more,
  };
  if (!item['user_id'] && !item['device_id']) kit.refuse('the event needs a user id or a device id');
  return item;
}

/** A trait of the event itself under the name of a key counts more than the context. */
function keysOf(event: JsonObject, config: JsonObject): JsonObject {
  const traits = kit.objectAt(event, 'traits');
  const { revenue, revenue_type } = kit.objectAt(event, 'properties');
  const paths: Record<string, string> = {
    ...DEVICE,
    ...PATHS,
    ...(!isType(event, 'group') && { insert_id: 'messageId' }),
    ...(isType(event, 'track') && kit.isGiven(revenue) && kit.isGiven(revenue_type) && PURCHASE),
  };
  const browser = isType(event, 'screen') || !isWeb(event) ? {} : browserOf(event);
  const found = Object.entries(paths).map(
    ([key, path]) => [key, traits[key] ?? browser[key] ?? kit.valueAt(event, path)] as const,
  );
  const item = kit.objectOf(found);
  return {
    ...item,
    device_id: kit.onlyId(item['device_id']),
    device_brand: brandOf(event, config),
    event_id: eventId(event),
  };
}

/** Traits that are keys of the event only, and no user properties. */
const CONSUMED = ['device_brand', 'event_id'];

/** The event without the traits that became keys of it. */
export function withoutDeviceTraits(event: JsonObject): JsonObject {
  const { traits } = event;
  if (!isJsonObject(traits)) return event;
  const names = isType(event, 'screen') ? CONSUMED : [...CONSUMED, ...Object.keys(DEVICE)];
  return { ...event, traits: kit.pick(traits, (value, key) => !names.includes(key) || value === null) };
}

function brandOf(event: JsonObject, config: JsonObject): unknown {
  const isMapped = kit.isOn(config, 'mapDeviceBrand');
  if (!isMapped && event['channel'] === 'mobile') return kit.valueAt(event, 'context.device.manufacturer');
  const ofTraits = kit.valueAt(event, 'traits.device_brand') ?? undefined;
  return ofTraits ?? (isMapped ? kit.valueAt(event, 'context.device.brand') : undefined);
}

/** A number that counts up. A text is no such id. */
export function eventId(event: JsonObject): number | undefined {
  const id = kit.valueAt(event, 'traits.event_id') ?? options(event)['event_id'];
  return typeof id === 'number' ? id : undefined;
}

/** Makers of phones that a user agent shows. */
const MAKERS: readonly (readonly [maker: string, pattern: RegExp])[] = [
  ['Apple', /iPhone|iPad|iPod/],
  ['Samsung', /SAMSUNG|\bSM-|\bGT-/],
  ['Google', /\bPixel\b/],
  ['Huawei', /HUAWEI/],
];
const USER_AGENT_LENGTH_MAX = 1_024;

function browserOf(event: JsonObject): JsonObject {
  const userAgent = String(kit.textAt(event, 'context.userAgent') ?? '').slice(0, USER_AGENT_LENGTH_MAX);
  const { browser, browserVersion, os } = kit.parseUserAgent(userAgent);
  const [phone] = /iPhone|iPad|iPod/.exec(userAgent) ?? [];
  const isMobileChrome = browser === 'Chrome' && userAgent.includes('Mobile');
  return {
    os_name: isMobileChrome ? 'Chrome Mobile' : browser,
    os_version: browserVersion,
    device_model: phone ?? (os === 'Mac OS' ? 'Mac' : os),
    device_manufacturer: MAKERS.find(([, pattern]) => pattern.test(userAgent))?.[0],
    platform: 'Web',
  };
}

function advertisingIds(event: JsonObject): JsonObject {
  if (event['channel'] !== 'mobile') return {};
  const family = kit.deviceFamily(event, ['context.device.type']);
  const { advertisingId, id } = kit.objectAt(event, 'context.device');
  if (family === 'apple') return { idfa: advertisingId, idfv: id };
  return family === 'android' ? { adid: advertisingId } : {};
}

/** Milliseconds since 1970. A value that is not a time is sent as null, for which Amplitude takes the time of arrival. */
function timeOf(event: JsonObject): number | null {
  const time = kit.firstAt(event, kit.TIMESTAMP);
  return time === undefined ? 0 : (kit.toUnixMillis(time) ?? null);
}

/** Milliseconds since 1970, also from a text like `prefix:1700000000000`. -1 means no session. */
export function sessionId(event: JsonObject): number {
  const { session_id: own } = event;
  const last = typeof own === 'string' ? integerOf(own.slice(own.lastIndexOf(':') + 1)) : own;
  const session = typeof last === 'number' ? last : -1;
  return session === -1 ? (integerOf(kit.valueAt(event, 'context.sessionId')) ?? -1) : session;
}

const integerOf = (value: unknown): number | undefined => {
  const number = kit.toNumber(value);
  return Number.isInteger(number) ? number : undefined;
};
