import type { JsonObject } from '@weir/contracts';
import type { VendorLimits } from './limited-vendor.fixtures.js';

export interface BatchingVendor {
  kind: string;
  config: JsonObject;
  limits: VendorLimits;
  /** An event of this name. Its request has to hold `text`, which makes it as large as a test needs. */
  event(name: string, text: string): JsonObject;
}

const now = new Date().toISOString();
const track = (event: string, text: string): JsonObject => ({
  ...{ type: 'track', event, userId: 'u', messageId: event, timestamp: now },
  ...{ properties: { text }, context: { userAgent: 'Browser', traits: { email: 'ada@example.com' } } },
});
const person = (name: string, text: string): JsonObject => ({
  ...{ type: 'identify', userId: name, messageId: name, timestamp: now },
  traits: { email: `${name}@example.com`, address: text, plan: text },
});
const group = (name: string, text: string): JsonObject => ({
  ...{ type: 'group', userId: 'u', groupId: name, timestamp: now },
  traits: { plan: text },
});
/** People of the list `l`. */
const member = (subscribe: boolean) => (name: string) => ({
  ...{ type: 'group', userId: name, groupId: 'l' },
  traits: { email: `${name}@example.com`, subscribe },
});

/** The limits that vendors document for a request. VERIFICATION.md names the pages. */
export const BATCHING_VENDORS: readonly BatchingVendor[] = [
  {
    kind: 'ALGOLIA',
    config: { apiKey: 'k', applicationId: 'a' },
    limits: {
      ...{ list: 'events', name: 'index', itemsMax: 1_000, bytesMax: 2_000_000 },
      required: ['eventName', 'eventType', 'userToken'],
    },
    event: (name, text) => ({
      ...track('Shoe Seen', ''),
      properties: { eventType: 'view', index: name, objectIds: [text || 'o-1'] },
    }),
  },
  {
    kind: 'AM',
    config: { apiKey: 'k' },
    limits: {
      list: 'events',
      name: 'event_type',
      itemsMax: 2_000,
      bytesMax: 1_000_000,
      required: ['user_id', 'insert_id'],
    },
    event: track,
  },
  {
    kind: 'BRAZE events',
    config: { restApiKey: 'k', dataCenter: 'US-03' },
    limits: { list: 'events', name: 'name', itemsMax: 75, bytesMax: 4_000_000, required: ['external_id', 'time'] },
    event: (name, text) => ({ ...track(name, text), context: {} }),
  },
  {
    kind: 'BRAZE attributes',
    config: { restApiKey: 'k', dataCenter: 'US-03' },
    limits: { list: 'attributes', name: 'external_id', itemsMax: 75, bytesMax: 4_000_000 },
    event: person,
  },
  {
    kind: 'CLEVERTAP',
    config: { accountId: 'a', passcode: 'p' },
    limits: { list: 'd', name: 'evtName', itemsMax: 1_000, required: ['type', 'identity'] },
    event: track,
  },
  {
    kind: 'CUSTOMERIO',
    config: { siteID: 's', apiKey: 'k' },
    limits: { list: 'batch', name: 'identifiers.object_id', itemsMax: 1_000, bytesMax: 500_000, itemBytesMax: 32_000 },
    event: group,
  },
  {
    kind: 'EMARSYS contacts',
    config: {
      ...{ emersysUsername: 'u', emersysUserSecret: 's' },
      fieldMapping: [{ rudderProperty: 'plan', emersysProperty: 31 }],
    },
    limits: { list: 'contacts', name: '3', itemsMax: 1_000 },
    event: person,
  },
  {
    kind: 'FACEBOOK_CONVERSIONS',
    config: { datasetId: 'd', accessToken: 't', actionSource: 'website' },
    limits: { list: 'data', name: 'event_name', itemsMax: 1_000, required: ['event_time', 'user_data'] },
    event: track,
  },
  {
    kind: 'FACEBOOK_PIXEL',
    config: { pixelId: 'p', accessToken: 't' },
    limits: { list: 'data', name: 'event_name', itemsMax: 1_000, required: ['event_time', 'user_data'] },
    event: track,
  },
  {
    kind: 'HEAP',
    config: { appId: '1' },
    limits: { list: 'events', name: 'event', itemsMax: 1_000, required: ['identity'] },
    event: track,
  },
  {
    kind: 'HS contacts',
    config: { accessToken: 't', apiVersion: 'newApi', lookupField: 'email' },
    limits: {
      ...{ list: 'inputs', name: 'properties.email', itemsMax: 100, required: ['id'] },
      lookUps: { '/properties/contacts': { results: [{ name: 'email', type: 'string', hasUniqueValue: true }] } },
    },
    event: person,
  },
  {
    kind: 'HTTP',
    config: {
      apiUrl: 'https://api.example.com/in',
      isDefaultMapping: true,
      isBatchingEnabled: true,
      maxBatchSize: '50',
    },
    limits: { list: '', name: 'event', itemsMax: 50 },
    event: track,
  },
  {
    kind: 'KLAVIYO subscribing',
    config: { privateApiKey: 'k', apiVersion: 'v2' },
    limits: { list: 'data.attributes.profiles.data', name: 'attributes.email', itemsMax: 1_000 },
    event: member(true),
  },
  {
    kind: 'KLAVIYO unsubscribing',
    config: { privateApiKey: 'k', apiVersion: 'v2' },
    limits: { list: 'data.attributes.profiles.data', name: 'attributes.email', itemsMax: 100 },
    event: member(false),
  },
  {
    kind: 'MP',
    config: { token: 't' },
    limits: { list: '', name: 'event', itemsMax: 2_000, bytesMax: 10_000_000, required: ['properties.distinct_id'] },
    event: track,
  },
  {
    kind: 'OMETRIA',
    config: { apiKey: 'k' },
    limits: {
      ...{ list: '', name: 'event_type', itemsMax: 100, bytesMax: 6_000_000 },
      required: ['id', 'timestamp', 'identity_email'],
    },
    event: track,
  },
  {
    kind: 'PINTEREST_TAG',
    config: { adAccountId: 'a', conversionToken: 't', apiVersion: 'newApi', sendAsCustomEvent: true },
    limits: { list: 'data', name: 'event_id', itemsMax: 1_000, required: ['event_name', 'event_time', 'user_data'] },
    event: (name, text) => ({ ...track(name, text), channel: 'web' }),
  },
  {
    kind: 'POSTHOG',
    config: { teamApiKey: 'k' },
    limits: { list: 'batch', name: 'event', itemsMax: Infinity, bytesMax: 20_000_000 },
    event: track,
  },
  {
    kind: 'DATA_PLANE',
    config: { dataPlaneUrl: 'https://hosted.example.com', writeKey: 'k' },
    limits: { list: 'batch', name: 'event', itemsMax: 100, bytesMax: 4_000_000, required: ['type', 'messageId'] },
    event: track,
  },
  {
    kind: 'SEGMENT',
    config: { writeKey: 'k' },
    limits: {
      list: 'batch',
      name: 'event',
      itemsMax: 2_500,
      bytesMax: 500_000,
      itemBytesMax: 32_000,
      required: ['userId'],
    },
    event: track,
  },
  {
    kind: 'SENDGRID',
    config: { apiKey: 'k' },
    limits: { list: 'contacts', name: 'email', itemsMax: 30_000, bytesMax: 6_000_000 },
    event: person,
  },
  {
    kind: 'SNAPCHAT_CONVERSION',
    config: {
      apiKey: 'k',
      pixelId: 'p',
      apiVersion: 'newApi',
      enableDeduplication: true,
      deduplicationKey: 'messageId',
    },
    limits: { list: 'data', name: 'event_id', itemsMax: 2_000, required: ['event_name', 'event_time'] },
    event: (name, text) => ({ ...track(name, text), event: 'Product Viewed' }),
  },
  {
    kind: 'TIKTOK_ADS',
    config: { accessToken: 't', pixelCode: 'p', version: 'v2', sendCustomEvents: true },
    limits: { list: 'data', name: 'event', itemsMax: 1_000, required: ['event_time', 'event_id'] },
    event: track,
  },
];
