import { KNOWN_USER_ID, type Mapping, property, TIMESTAMP, toText, USER_ID } from '../toolkit/index.js';

/** Fields of every event besides the properties (https://posthog.com/docs/api/capture). */
export const EVENT: Mapping = {
  distinct_id: { from: USER_ID, as: toText },
  timestamp: TIMESTAMP,
  messageId: 'messageId',
};

/** Properties that PostHog's own libraries send. */
export const PROPERTIES: Mapping = {
  distinct_id: { from: KNOWN_USER_ID, as: toText },
  $anon_distinct_id: 'anonymousId',
  $ip: ['context.ip', 'request_ip'],
  $time: TIMESTAMP,
  $timestamp: TIMESTAMP,
  $current_url: 'context.page.url',
  $pathname: 'context.page.path',
  $performance_page_loaded: 'context.page.loaded',
  $lib: 'context.library.name',
  $lib_version: 'context.library.version',
  $locale: 'context.locale',
  $useragent: 'context.userAgent',
  $os: 'context.os.name',
  $os_version: 'context.os.version',
  $device_id: 'context.device.id',
  $device_manufacturer: 'context.device.manufacturer',
  $device_model: 'context.device.model',
  $device_name: 'context.device.name',
  $network_carrier: 'context.network.carrier',
  $app_name: 'context.app.name',
  $app_version: 'context.app.version',
  $app_build: 'context.app.build',
  $app_namespace: 'context.app.namespace',
  $screen_density: 'context.screen.density',
  $screen_height: 'context.screen.height',
  $screen_width: 'context.screen.width',
  $viewport_height: property('viewport_height'),
  $viewport_width: property('viewport_width'),
  utm_source: 'context.campaign.source',
  utm_medium: 'context.campaign.medium',
  utm_campaign: 'context.campaign.name',
  utm_content: 'context.campaign.content',
  utm_term: 'context.campaign.term',
};
