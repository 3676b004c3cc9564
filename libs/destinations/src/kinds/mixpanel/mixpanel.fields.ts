import type { JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';

/** Default event properties, https://docs.mixpanel.com/docs/data-structure/property-reference/default-properties */
export const EVENT: kit.Mapping = {
  ip: kit.IP,
  campaign_id: 'context.campaign.name',
  $user_id: { from: 'userId', as: kit.toText },
  $current_url: 'context.page.url',
  $referrer: 'context.page.referrer',
  $os: 'context.os.name',
  $os_version: 'context.os.version',
  $screen_height: 'context.screen.height',
  $screen_width: 'context.screen.width',
  $screen_dpi: 'context.screen.density',
  $carrier: 'context.network.carrier',
  $wifi: 'context.network.wifi',
  $bluetooth_enabled: 'context.network.bluetooth',
  $bluetooth_version: 'properties.bluetoothVersion',
  $device: 'context.device.name',
  $manufacturer: 'context.device.manufacturer',
  $model: 'context.device.model',
  mp_device_model: 'context.device.model',
  mp_lib: 'context.library.name',
  $initial_referrer: ['context.page.initialReferrer', 'context.page.initial_referrer'],
  $initial_referring_domain: ['context.page.initialReferringDomain', 'context.page.initial_referring_domain'],
  mp_processing_time_ms: 'properties.mpProcessingTimeMs',
  $app_build_number: ['properties.appBuildNumber', 'context.app.build'],
  $app_version_string: ['properties.appVersionString', 'context.app.version'],
  $brand: ['properties.brand', 'device.manufacturer'],
  $radio: 'properties.radio',
  $lib_version: 'properties.libVersion',
  $search_engine: 'properties.searchEngine',
  mp_keyword: 'properties.mpKeyword',
  $has_nfc: 'properties.hasNfc',
  $has_telephone: 'properties.hasTelephone',
  $google_play_services: 'properties.googlePlayServices',
  $insert_id: { from: 'messageId', as: kit.toText },
  $session_id: { from: ['session_id', 'context.sessionId'], as: kit.toText },
  $app_name: 'context.app.name',
  $app_namespace: 'context.app.namespace',
};

const isReverseGeocoding: kit.Conversion = (source) =>
  source === 'reverse_geocoding' ? source : kit.refuse('context.location.geoSource must be reverse_geocoding');

/** Profile properties from the context. */
const CONTEXT = {
  $geo_source: { from: 'location.geoSource', as: isReverseGeocoding },
  $timezone: 'location.timezone',
  $latitude: 'location.latitude',
  $longitude: 'location.longitude',
  $carrier: 'network.carrier',
  $wifi: 'network.wifi',
  $manufacturer: 'device.manufacturer',
  $model: 'device.model',
  $screen_height: 'screen.height',
  $screen_width: 'screen.width',
  $initial_referrer: ['page.initial_referrer', 'page.initialReferrer'],
  $initial_referring_domain: ['page.initial_referring_domain', 'page.initialReferringDomain'],
} satisfies kit.Mapping;

/** The sources of a name in the order of its spellings. */
const traits = (...names: string[]) => names.flatMap((name) => kit.trait(name));

/** Profile properties from the traits of an event. */
const TRAITS: kit.Mapping = {
  $created: kit.CREATED_AT,
  $email: kit.EMAIL,
  $first_name: kit.FIRST_NAME,
  $last_name: kit.LAST_NAME,
  $name: kit.FULL_NAME,
  $username: traits('username', 'userName'),
  $phone: kit.PHONE,
  $avatar: kit.AVATAR,
  $country_code: [...traits('address.country', 'country'), 'context.location.country'],
  $city: [...traits('city', 'address.city'), 'context.location.city'],
  $region: [...traits('state', 'address.state'), 'context.location.region'],
  $unsubscribed: [...kit.trait('unsubscribed'), 'properties.unsubscribed'],
};

/** Profile properties from traits that stand alone, as those of an operation do. */
const ALONE: kit.Mapping = {
  $created: 'createdAt',
  $email: 'email',
  $first_name: ['firstName', 'firstname', 'first_name'],
  $last_name: ['lastName', 'lastname', 'last_name'],
  $name: 'name',
  $username: ['username', 'userName'],
  $phone: 'phone',
  $avatar: 'avatar',
  $country_code: ['country', 'address.country'],
  $city: ['city', 'address.city'],
  $region: ['state', 'address.state', 'location.region'],
  $unsubscribed: 'unsubscribed',
  ...CONTEXT,
};

const KNOWN_TRAITS = [
  ...['createdAt', 'email', 'firstName', 'firstname', 'first_name', 'lastName', 'lastname', 'last_name', 'name'],
  ...['username', 'userName', 'phone', 'avatar', 'address', 'country', 'city', 'state', 'unsubscribed'],
];

/** The traits of an operation, with Mixpanel's names for those it knows. */
export const named = (values: JsonObject): JsonObject =>
  kit.merged(kit.mapFields(values, ALONE), kit.omit(values, KNOWN_TRAITS));

/** The profile of an event: what Mixpanel has names for, and every other trait. Those of the context win. */
export function profileOf(event: JsonObject): JsonObject {
  const profile = kit.merged(kit.mapFields(event, TRAITS), kit.mapFields(kit.objectAt(event, 'context'), CONTEXT));
  const { $first_name: first, $last_name: last, $name: name } = profile;
  if (!name && first && last) profile['$name'] = `${kit.toText(first)} ${kit.toText(last)}`;
  const others = kit.merged(kit.objectAt(event, 'traits'), kit.objectAt(event, 'context.traits'));
  return kit.merged(profile, kit.nested(kit.omit(others, KNOWN_TRAITS)));
}

const ANDROID: kit.Mapping = {
  $os: 'context.os.name',
  $android_model: 'context.device.model',
  $android_os_version: 'context.os.version',
  $android_manufacturer: 'context.device.manufacturer',
  $android_app_version: 'context.app.version',
  $android_app_version_code: 'context.app.build',
  $android_lib_version: 'properties.androidLibVersion',
  $android_brand: ['properties.androidBrand', 'context.device.manufacturer'],
  $android_devices: { from: 'context.device.token', as: (token) => [token] },
};
const APPLE: kit.Mapping = {
  $os: 'context.os.name',
  $ios_device_model: 'context.device.model',
  $ios_version: 'context.os.version',
  $ios_app_release: 'context.app.version',
  $ios_app_version: 'context.app.build',
  $ios_lib_version: 'properties.iosLibVersion',
  $ios_devices: { from: 'context.device.token', as: (token) => [token] },
};

export function deviceOf(event: JsonObject): JsonObject {
  const family = kit.deviceFamily(event, ['context.device.type']);
  return family ? kit.mapFields(event, family === 'android' ? ANDROID : APPLE) : {};
}

export function browserOf(event: JsonObject): JsonObject {
  if (event['channel'] !== 'web') return {};
  const { browser, browserVersion } = kit.parseUserAgent(kit.valueAt(event, 'context.userAgent'));
  return kit.compact({ $browser: browser, $browser_version: browserVersion });
}
