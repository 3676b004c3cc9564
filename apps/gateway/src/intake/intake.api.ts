import { z } from 'zod';
import type { ApiSpec } from '../http/api.js';
import type { ModuleRoute } from '../http/module-routes.js';
import {
  BATCH_CALLS,
  type BatchCall,
  type IntakeCall,
  isBatchCall,
  PIXEL_CALLS,
  type PixelCall,
  SINGLE_CALLS,
  type SingleCall,
  WEBHOOK_CALL,
} from './calls.js';
import { Batch, Event, PixelQuery, SourceConfig, Webhook, WriteKeyQuery } from './intake.schemas.js';

const HOW = [
  'Answers `OK` once the event is stored. Gzip is taken with `Content-Encoding: gzip`.',
  'Errors are plain text; after 429 and 503, send it again when `Retry-After` says so.',
  'An id (`userId`, `id` and the like, wherever in an event) that is a number beyond 2^53 is kept as the text that is written.',
  'Any other number that long is rounded on its way,',
  'as JSON readers do (the Test API shows how): send it as a string.',
].join(' ');

const COMMON = {
  area: 'intake',
  access: 'write',
  errors: ['invalid', 'unauthenticated', 'disabled', 'too_large', 'rate_limited', 'unavailable'],
} as const;

const specOf = (call: SingleCall | BatchCall): ApiSpec => ({
  ...COMMON,
  summary: isBatchCall(call) ? 'Take a batch of events, all or none' : `Take one ${call} event`,
  description: HOW,
  body: isBatchCall(call) ? Batch : Event,
  needsBody: true,
  reply: z.literal('OK'),
});

const pixelOf = (call: PixelCall): ApiSpec => ({
  ...COMMON,
  // A wrong key also gets the image.
  access: 'none',
  summary: `Take one ${call} event from an image`,
  description: 'Whatever becomes of the event, the answer is a transparent GIF of one pixel.',
  query: PixelQuery,
  reply: z.string().meta({ contentMediaType: 'image/gif' }),
  errors: [],
});

const WEBHOOK: ApiSpec = {
  ...COMMON,
  summary: 'Take what another service reports',
  description: `For a source of the type \`webhook\`: each object becomes the properties of a track event of its own. ${HOW}`,
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
  keyIn: 'header' | 'query' | 'anywhere';
}

const eventRoute = (call: SingleCall | BatchCall): EventRoute => ({
  call,
  keyIn: 'header',
  method: 'POST',
  path: `/v1/${call}`,
  handler: `Intake.${call}`,
  api: specOf(call),
});

/** For `navigator.sendBeacon`, which cannot set headers. */
const BEACON_ROUTE: EventRoute = {
  call: 'batch',
  keyIn: 'query',
  method: 'POST',
  path: '/beacon/v1/batch',
  handler: 'Intake.beacon',
  api: { ...specOf('batch'), query: WriteKeyQuery },
};

const WEBHOOK_ROUTE: EventRoute = {
  call: WEBHOOK_CALL,
  keyIn: 'anywhere',
  method: 'POST',
  path: '/v1/webhook',
  handler: 'Intake.webhook',
  api: { ...WEBHOOK, body: Webhook, needsBody: true },
};

/** Paths that read events from the body. */
export const EVENT_ROUTES = [...[...SINGLE_CALLS, ...BATCH_CALLS].map(eventRoute), BEACON_ROUTE, WEBHOOK_ROUTE];

/** For services that cannot POST: the report is in the query. */
export const WEBHOOK_QUERY_ROUTE = {
  method: 'GET',
  path: WEBHOOK_ROUTE.path,
  handler: 'Intake.webhookQuery',
  api: { ...WEBHOOK, summary: 'Take what another service reports in its query', query: WriteKeyQuery },
} satisfies IntakeRoute;

export const PIXEL_ROUTES = PIXEL_CALLS.map((call) => ({
  call,
  method: 'GET',
  path: `/pixel/v1/${call}`,
  handler: `Pixel.${call}`,
  api: pixelOf(call),
})) satisfies IntakeRoute[];

export const SOURCE_CONFIG_ROUTE = {
  method: 'GET',
  path: '/sourceConfig',
  handler: 'SourceConfig.get',
  api: {
    ...COMMON,
    summary: 'What an SDK in a browser needs to know of its source',
    description: 'The write key comes as everywhere, or as `writeKey` in the query. A disabled source says so.',
    query: WriteKeyQuery.partial(),
    reply: SourceConfig,
    errors: ['unauthenticated', 'unavailable'],
  },
} satisfies IntakeRoute;

/** All paths of the intake. Both the router and the OpenAPI document read this list. */
export const INTAKE_ROUTES: readonly IntakeRoute[] = [
  ...EVENT_ROUTES,
  WEBHOOK_QUERY_ROUTE,
  ...PIXEL_ROUTES,
  SOURCE_CONFIG_ROUTE,
];
