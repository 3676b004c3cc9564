import { randomUUID } from 'node:crypto';
import { EVENT_DEPTH_MAX, isJsonObject, type JsonObject, type SourceRecord } from '@weir/contracts';
import { formatTime } from './enrich.js';
import type { PixelCall } from './intake.api.js';
import { refusals } from './refusals.js';

/** A transparent GIF of one pixel. */
export const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** If a parameter occurs twice, the first one counts. */
export type Query = Record<string, string | string[] | undefined>;

/** Builds an event from the query of an image. Keys are paths: `properties.price` sets a nested field (wire-facts 6.6). */
export function pixelEvent(call: PixelCall, query: Query, now: number): JsonObject {
  const time = formatTime(now);
  const event: JsonObject = { channel: 'web', integrations: { All: true }, originalTimestamp: time, sentAt: time };
  for (const [path, value] of Object.entries(query)) {
    if (path !== 'writeKey') put(event, path.split('.', EVENT_DEPTH_MAX + 1), [value].flat()[0]);
  }
  if (call === 'page' && !event['name']) event['name'] = 'Unknown Page';
  return event;
}

/** Defines properties instead of assigning them, so that `__proto__` is a key like any other. */
function put(object: JsonObject, path: string[], value: unknown): void {
  if (path.length > EVENT_DEPTH_MAX) throw refusals.invalidJson();
  let at = object;
  for (const key of path.slice(0, -1)) {
    const inner = Object.hasOwn(at, key) ? at[key] : undefined;
    const next = isJsonObject(inner) ? inner : {};
    define(at, key, next);
    at = next;
  }
  define(at, path.at(-1) ?? '', value);
}

const define = (object: JsonObject, key: string, value: unknown) =>
  Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true });

/** Name of all webhook events. Transformations tell them apart by their content. */
const WEBHOOK_EVENT = 'webhook_source_event';
const WEBHOOK_SOURCE = 'webhook';

/** Throws unless the source is a webhook source. Other sources take events only (wire-facts 6.4). */
export function refuseUnlessWebhook({ type }: SourceRecord): void {
  if (type.toLowerCase() !== WEBHOOK_SOURCE) throw refusals.notAWebhook();
}

/** Wraps a report in an event. The sender is unknown, so each event gets a new anonymous id. */
export const webhookEvent = (reported: JsonObject): JsonObject => ({
  type: 'track',
  event: WEBHOOK_EVENT,
  anonymousId: randomUUID(),
  properties: reported,
});
