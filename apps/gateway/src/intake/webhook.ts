import { randomUUID } from 'node:crypto';
import type { JsonObject, SourceRecord } from '@weir/contracts';
import { refusals } from './refusals.js';

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
