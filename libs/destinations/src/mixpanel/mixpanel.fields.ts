import { type Mapping, TIMESTAMP, toText, toUnixMillis } from '../toolkit/index.js';

/** Mixpanel takes 36 characters. Message ids differ at the end. */
const insertId = (messageId: unknown) => String(messageId).slice(-36);

/** Default event properties, https://docs.mixpanel.com/docs/data-structure/property-reference/default-properties */
export const EVENT: Mapping = {
  ip: ['context.ip', 'request_ip'],
  $user_id: { from: 'userId', as: toText },
  campaign_id: 'context.campaign.name',
  $current_url: 'context.page.url',
  $referrer: 'context.page.referrer',
  $initial_referrer: 'context.page.initial_referrer',
  $initial_referring_domain: 'context.page.initial_referring_domain',
  $screen_height: 'context.screen.height',
  $screen_width: 'context.screen.width',
  $screen_dpi: 'context.screen.density',
  $os: 'context.os.name',
  $os_version: 'context.os.version',
  $device: 'context.device.name',
  $manufacturer: 'context.device.manufacturer',
  $model: 'context.device.model',
  mp_device_model: 'context.device.model',
  $carrier: 'context.network.carrier',
  $wifi: 'context.network.wifi',
  $bluetooth_enabled: 'context.network.bluetooth',
  mp_lib: 'context.library.name',
  $app_build_number: 'context.app.build',
  $app_version_string: 'context.app.version',
  $app_name: 'context.app.name',
  $app_namespace: 'context.app.namespace',
  $session_id: { from: 'context.sessionId', as: toText },
  $insert_id: { from: 'messageId', as: insertId },
  time: { from: TIMESTAMP, as: toUnixMillis },
};

/** Profile properties with a name at Mixpanel, from the traits. */
export const PROFILE: Mapping = {
  $created: 'createdAt',
  $email: 'email',
  $name: 'name',
  $phone: 'phone',
  $avatar: 'avatar',
  $country_code: ['country', 'address.country'],
  $city: ['city', 'address.city'],
  $region: ['state', 'address.state', 'region', 'address.region'],
  $unsubscribed: 'unsubscribed',
};
const FIRST = ['firstName', 'firstname', 'first_name'];
const LAST = ['lastName', 'lastname', 'last_name'];
/** Used with `useNewMapping`, and for all properties that are set once. */
export const NAMES: Mapping = { $first_name: FIRST, $last_name: LAST };
export const NAMES_BEFORE: Mapping = { $firstName: FIRST, $lastName: LAST };

/** Profile properties from the context. */
export const PROFILE_CONTEXT: Mapping = {
  $initial_referrer: 'context.page.initial_referrer',
  $initial_referring_domain: 'context.page.initial_referring_domain',
  $carrier: 'context.network.carrier',
  $manufacturer: 'context.device.manufacturer',
  $model: 'context.device.model',
  $screen_height: 'context.screen.height',
  $screen_width: 'context.screen.width',
  $wifi: 'context.network.wifi',
};
export const ANDROID: Mapping = {
  $os: 'context.os.name',
  $android_model: 'context.device.model',
  $android_os_version: 'context.os.version',
  $android_manufacturer: 'context.device.manufacturer',
  $android_brand: 'context.device.manufacturer',
  $android_app_version: 'context.app.version',
  $android_app_version_code: 'context.app.build',
};
export const APPLE: Mapping = {
  $os: 'context.os.name',
  $ios_device_model: 'context.device.model',
  $ios_version: 'context.os.version',
  $ios_app_release: 'context.app.version',
  $ios_app_version: 'context.app.build',
};
