import type { MessageType } from '@weir/contracts';
import { z } from 'zod';
import type { ApiSpec } from '../http/api.js';
import type { ModuleRoute } from '../http/routes.js';
import { Batch, Event, PixelQuery, SegmentSettings, SourceConfig, Webhook, WriteKeyQuery } from './intake.schemas.js';

/** One event. The path sets its type. */
export type SingleCall = MessageType | 'merge' | 'audiencelist';
/** A list of events. `import` is for historical data and has the same form (wire-facts 6.6). */
export type BatchCall = 'batch' | 'import';
/** One event in the query of an image request. */
export type PixelCall = 'track' | 'page';
/** Reports of any form from other services. Every report becomes an event with one fixed name. */
export const WEBHOOK_CALL = 'webhook';
export type WebhookCall = typeof WEBHOOK_CALL;
export type IntakeCall = SingleCall | BatchCall | WebhookCall;

export const isBatchCall = (call: IntakeCall): call is BatchCall => call === 'batch' || call === 'import';
export const isWebhookCall = (call: IntakeCall): call is WebhookCall => call === WEBHOOK_CALL;

const HOW = [
  'Answers `OK` once the event is stored. Accepts gzip with `Content-Encoding: gzip`.',
  'Errors are plain text. After 429 and 503, retry when `Retry-After` says so.',
  'An id beyond 2^53 that is sent as a number (`userId`, `id` and the like, anywhere in an event) becomes the text as written.',
  'Other numbers of that size are rounded, as in most JSON readers.',
  'Send them as strings. The Test API shows what a destination receives.',
].join(' ');

const COMMON = {
  area: 'intake',
  access: 'write',
  errors: ['invalid', 'unauthenticated', 'disabled', 'too_large', 'rate_limited', 'unavailable'],
} as const;

/** Security schemes of the document. */
const KEY_IN_QUERY = [{ writeKeyInQuery: [] }];
const KEY_ANYWHERE = [{ writeKey: [] }, ...KEY_IN_QUERY];

const specOf = (call: SingleCall | BatchCall): ApiSpec => ({
  ...COMMON,
  summary: isBatchCall(call) ? 'Accept a batch of events, all or none' : `Accept one ${call} event`,
  description: HOW,
  body: isBatchCall(call) ? Batch : Event,
  needsBody: true,
  reply: z.literal('OK'),
});

const pixelOf = (call: PixelCall): ApiSpec => ({
  ...COMMON,
  // A wrong key also gets the image.
  access: 'none',
  security: KEY_IN_QUERY,
  summary: `Accept one ${call} event from an image request`,
  description: 'The answer is always a transparent GIF of one pixel, even if the event is refused.',
  query: PixelQuery,
  reply: z.string().meta({ contentMediaType: 'image/gif' }),
  errors: [],
});

const WEBHOOK: ApiSpec = {
  ...COMMON,
  security: KEY_ANYWHERE,
  summary: 'Accept reports of another service',
  description: `Needs a source of the type \`webhook\`. Each object becomes the properties of its own track event. ${HOW}`,
  query: WriteKeyQuery.partial(),
  reply: z.literal('OK'),
  errors: [...COMMON.errors, 'not_found'],
};

interface IntakeRoute extends ModuleRoute {
  api: ApiSpec;
}

interface EventRoute extends IntakeRoute {
  call: IntakeCall;
  /** Where the request carries its write key. */
  keyIn: 'header' | 'query' | 'anywhere' | 'headerOrBody';
}

const eventRoute = (path: string, call: SingleCall | BatchCall): EventRoute => ({
  ...{ call, keyIn: 'header', method: 'POST', path, handler: `Intake.${call}` },
  api: specOf(call),
});

/** The short path of Segment's SDKs for the same call. In browsers, they send the write key in the body. */
const shortRoute = (path: string, call: SingleCall | BatchCall): EventRoute => ({
  ...{ call, keyIn: 'headerOrBody', method: 'POST', path, handler: `ShortIntake.${call}` },
  api: {
    ...specOf(call),
    description: `For SDKs of Segment. The write key may also be \`writeKey\` in the body. ${HOW}`,
  },
});

const pixelRoute = (path: string, call: PixelCall) => ({
  ...{ call, method: 'GET', path, handler: `Pixel.${call}` },
  api: pixelOf(call),
});

/** Paths that read events from the body. */
export const EVENT_ROUTES: readonly EventRoute[] = [
  eventRoute('/v1/identify', 'identify'),
  eventRoute('/v1/track', 'track'),
  eventRoute('/v1/page', 'page'),
  eventRoute('/v1/screen', 'screen'),
  eventRoute('/v1/group', 'group'),
  eventRoute('/v1/alias', 'alias'),
  eventRoute('/v1/merge', 'merge'),
  eventRoute('/v1/audiencelist', 'audiencelist'),
  eventRoute('/v1/batch', 'batch'),
  eventRoute('/v1/import', 'import'),
  shortRoute('/v1/i', 'identify'),
  shortRoute('/v1/t', 'track'),
  shortRoute('/v1/p', 'page'),
  shortRoute('/v1/s', 'screen'),
  shortRoute('/v1/g', 'group'),
  shortRoute('/v1/a', 'alias'),
  shortRoute('/v1/b', 'batch'),
  // For `navigator.sendBeacon`, which cannot set headers.
  {
    ...{ call: 'batch', keyIn: 'query', method: 'POST', path: '/beacon/v1/batch', handler: 'Intake.beacon' },
    api: { ...specOf('batch'), query: WriteKeyQuery, security: KEY_IN_QUERY },
  },
  {
    ...{ call: WEBHOOK_CALL, keyIn: 'anywhere', method: 'POST', path: '/v1/webhook', handler: 'Intake.webhook' },
    api: { ...WEBHOOK, body: Webhook, needsBody: true },
  },
];

/** For services that cannot POST: the report is in the query. */
export const WEBHOOK_QUERY_ROUTE = {
  ...{ method: 'GET', path: '/v1/webhook', handler: 'Intake.webhookQuery' },
  api: {
    ...WEBHOOK,
    summary: 'Accept a report of another service in the query',
    query: WriteKeyQuery,
    security: KEY_IN_QUERY,
  },
} satisfies IntakeRoute;

export const PIXEL_ROUTES = [pixelRoute('/pixel/v1/track', 'track'), pixelRoute('/pixel/v1/page', 'page')];

export const SOURCE_CONFIG_ROUTE = {
  method: 'GET',
  path: '/sourceConfig',
  handler: 'SourceConfig.get',
  api: {
    ...COMMON,
    security: KEY_ANYWHERE,
    summary: 'Get what a browser SDK needs to know about its source',
    description:
      'Send the write key as usual, or as `writeKey` in the query. The answer says if the source is disabled.',
    query: WriteKeyQuery.partial(),
    reply: SourceConfig,
    errors: ['unauthenticated', 'unavailable'],
  },
} satisfies IntakeRoute;

export const SEGMENT_SETTINGS_ROUTE = {
  method: 'GET',
  path: '/v1/projects/:writeKey/settings',
  handler: 'SegmentSettings.get',
  api: {
    ...COMMON,
    // The path has the key.
    security: [],
    summary: "Get the settings that Segment's SDK for browsers loads before it sends",
    description: 'Tells the SDK to send every event to this server, and to load no integrations.',
    params: WriteKeyQuery,
    reply: SegmentSettings,
    errors: ['unauthenticated', 'unavailable'],
  },
} satisfies IntakeRoute;

export const SEGMENT_METRICS_ROUTE = {
  method: 'POST',
  path: '/v1/m',
  handler: 'SegmentMetrics.drop',
  api: {
    ...COMMON,
    access: 'none',
    summary: "Accept the metrics that Segment's SDK for browsers sends about itself, and discard them",
    reply: z.literal('OK'),
    errors: [],
  },
} satisfies IntakeRoute;

/** All paths of the intake. Both the router and the OpenAPI document read this list. */
export const INTAKE_ROUTES: readonly IntakeRoute[] = [
  ...EVENT_ROUTES,
  WEBHOOK_QUERY_ROUTE,
  ...PIXEL_ROUTES,
  SOURCE_CONFIG_ROUTE,
  SEGMENT_SETTINGS_ROUTE,
  SEGMENT_METRICS_ROUTE,
];
