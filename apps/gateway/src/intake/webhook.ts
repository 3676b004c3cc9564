import { randomUUID } from 'node:crypto';
import type { JsonObject, SourceRecord } from '@weir/contracts';
import { refusals } from './refusals.js';

/** What events of webhooks are called: a transformation of their destinations tells them apart by what they hold. */
const WEBHOOK_EVENT = 'webhook_source_event';
const WEBHOOK_SOURCE = 'webhook';

/** Throws unless the source was made for what has no form of its own; every other one takes events only (wire-facts 6.4). */
export function refuseUnlessWebhook({ type }: SourceRecord): void {
  if (type.toLowerCase() !== WEBHOOK_SOURCE) throw refusals.notAWebhook();
}

/** An event that holds what was reported. It is about nobody that is known: each is of a person of its own. */
export const webhookEvent = (reported: JsonObject): JsonObject => ({
  type: 'track',
  event: WEBHOOK_EVENT,
  anonymousId: randomUUID(),
  properties: reported,
});
