import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@weir/contracts';
import { formatTime, isWritable, timeOf } from './event-time.js';
import { type Identity, rudderIdOf } from './identity.js';

/** Upper bound of the bytes that {@link enrich} adds to an event's JSON. */
export const ENRICHMENT_BYTES_MAX = 512;
/** Control and invisible characters. Two message ids that look the same must not differ in these. */
const INVISIBLE = /[\p{Cc}\p{Cf}]/gu;

/** Facts that all events of one request share. */
export interface Arrival {
  /** Milliseconds since the epoch. */
  receivedAt: number;
  requestIp: string;
  /** `sentAt` of the whole batch. Applies to events without their own. */
  sentAt?: unknown;
}

/** The client's message id without invisible characters. Undefined if nothing remains. */
export function messageIdOf(event: JsonObject): string | undefined {
  const { messageId } = event;
  if (typeof messageId === 'number') return String(messageId);
  if (typeof messageId !== 'string') return undefined;
  return messageId.replace(INVISIBLE, '').trim() || undefined;
}

/**
 * Adds the fields that the pipeline relies on (wire-facts 6.6). Each added field is text in every event, so it never causes a new
 * schema version (ruling 25).
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

/** A client's clock may be wrong, but its span from event to sending is right. Subtracts that span from our receive time. */
function corrected(receivedAt: number, span: number): number {
  const time = receivedAt - span;
  return isWritable(time) ? time : receivedAt;
}
