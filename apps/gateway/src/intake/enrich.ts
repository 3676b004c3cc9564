import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@weir/contracts';
import { formatTime, isWritable, timeOf } from './event-time.js';
import { type Identity, rudderIdOf } from './identity.js';

/** Most bytes that {@link enrich} adds to an event's JSON. */
export const ENRICHMENT_BYTES_MAX = 512;
/** Control and invisible characters: they would make two message ids that look alike differ. */
const INVISIBLE = /[\p{Cc}\p{Cf}]/gu;

/** What one request tells of all its events. */
export interface Arrival {
  /** Milliseconds since the epoch. */
  receivedAt: number;
  requestIp: string;
  /** `sentAt` of the whole batch, for events without their own. */
  sentAt?: unknown;
}

/** The client's message id without what cannot be seen; undefined when nothing is left. */
export function messageIdOf(event: JsonObject): string | undefined {
  const { messageId } = event;
  if (typeof messageId === 'number') return String(messageId);
  if (typeof messageId !== 'string') return undefined;
  return messageId.replace(INVISIBLE, '').trim() || undefined;
}

/**
 * Writes into the event what the pipeline relies on (wire-facts 6.6). Every added field is a text for every event, so
 * that none of them ever makes a schema version (ruling 25).
 */
export function enrich(event: JsonObject, identity: Identity, arrival: Arrival): void {
  const receivedAt = timeOf(event['receivedAt']) ?? arrival.receivedAt;
  const sentAt = timeOf(event['sentAt']) ?? timeOf(arrival.sentAt) ?? receivedAt;
  const originalTimestamp = timeOf(event['originalTimestamp']) ?? receivedAt;
  event['messageId'] = messageIdOf(event) ?? randomUUID();
  event['rudderId'] = rudderIdOf(identity);
  if (typeof event['request_ip'] !== 'string' || event['request_ip'] === '') event['request_ip'] = arrival.requestIp;
  event['receivedAt'] = formatTime(receivedAt);
  event['originalTimestamp'] = formatTime(originalTimestamp);
  event['sentAt'] = formatTime(sentAt);
  event['timestamp'] = formatTime(timeOf(event['timestamp']) ?? corrected(receivedAt, sentAt - originalTimestamp));
}

/** A client's clock may be wrong, but the span between happening and sending is right: it is counted back from here. */
function corrected(receivedAt: number, span: number): number {
  const time = receivedAt - span;
  return isWritable(time) ? time : receivedAt;
}
