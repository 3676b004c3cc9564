import { hash, randomUUID } from 'node:crypto';
import { type JsonObject, normalizeUserId } from '@weir/contracts';

/** The person that an event is about. An event needs at least one of the two ids (wire-facts 6.4). */
export interface Identity {
  userId: string;
  anonymousId: string;
}

/** Converts numbers to text and ignores blanks. Undefined if the event has neither id. */
export function identityOf(event: JsonObject): Identity | undefined {
  const userId = normalizeUserId(event['userId']) ?? '';
  const anonymousId = normalizeUserId(event['anonymousId']) ?? '';
  return userId || anonymousId ? { userId, anonymousId } : undefined;
}

/** The MD5 of `userId:anonymousId` as a version 4 UUID, so a person always gets the same id (wire-facts 6.6). */
function rudderIdOf({ userId, anonymousId }: Identity): string {
  const hex = hash('md5', `${userId}:${anonymousId}`, 'hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** Lenient RFC 3339: allows a date alone, a space instead of T, any precision, and no zone (UTC). */
const FORM = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;
const HAS_TIME = 11;

const FIRST = Date.parse('0000-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** Milliseconds since the epoch. Undefined unless the value is a date with a four-digit year. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const form = FORM.exec(value);
  if (!form) return undefined;
  const hasZone = form[1] !== undefined || value.length < HAS_TIME;
  const time = Date.parse(hasZone ? value : `${value}Z`);
  return isWritable(time) ? time : undefined;
}

/** Whether RFC 3339 can express the time. False for NaN. */
const isWritable = (time: number) => time >= FIRST && time <= LAST;

let formatted = { time: 0, text: new Date(0).toISOString() };

/** RFC 3339 in UTC with milliseconds. Caches the last result, because most events of a request share its receive time. */
export function formatTime(time: number): string {
  if (formatted.time !== time) formatted = { time, text: new Date(time).toISOString() };
  return formatted.text;
}

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
